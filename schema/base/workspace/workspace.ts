import { prismaOf } from '../../../src/db/prisma.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';

/** Features of a workspace, and whether a new one has them enabled. */
export const FEATURES: Record<string, boolean> = { email: true, mcp: false };

export const WorkspaceType = builder.prismaObject('Workspace', {
  name: 'Workspace',
  description: 'A tenant with its own users, keys and data.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier.' }),
    slug: t.exposeString('slug', { description: 'Name used in addresses and on the command line.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    features: t.exposeStringList('features', { description: 'Enabled features.' }),
    createdAt: t.expose('created_at', { type: 'DateTime', description: 'When the workspace was created.' }),
  }),
});

builder.queryField('workspace', (t) =>
  t.prismaField({
    type: 'Workspace',
    description: "Returns the caller's workspace.",
    policy: { auth: ['USER', 'TEAM'], scope: 'read' },
    resolve: (query, _parent, _args, ctx) =>
      prismaOf(ctx).workspace.findUniqueOrThrow({ ...query, where: { id: ctx.workspace.id } }),
  }),
);

const Viewer = builder
  .objectRef<{
    login: string;
    name: string;
    kind: string;
    userId: number | null;
    groups: string[];
    scopes: string[] | null;
  }>('Viewer')
  .implement({
    description: 'The authenticated caller.',
    fields: (t) => ({
      login: t.exposeString('login', { description: 'Login name.' }),
      name: t.exposeString('name', { description: 'Display name.' }),
      kind: t.exposeString('kind', { description: '`user`, or `workspace` for a workspace key.' }),
      userId: t.exposeInt('userId', { nullable: true, description: 'User id; null for a workspace key.' }),
      groups: t.exposeStringList('groups', { description: 'External ids of the groups of the user.' }),
      scopes: t.exposeStringList('scopes', {
        nullable: true,
        description: 'Scopes the key is limited to; null if it is not limited.',
      }),
    }),
  });

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Returns the authenticated caller and its rights.',
    policy: { auth: ['USER', 'TEAM'], scope: 'read' },
    resolve: (_parent, _args, ctx) => {
      const { login, name, kind, userId, groups, scopes } = ctx.principal!;
      return { login, name, kind, userId, groups: [...groups].sort(), scopes: scopes && [...scopes] };
    },
  }),
);

verb('featureSet', {
  kind: 'mutation',
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'feature.set' },
  description: 'Turns a feature of the workspace on or off. Returns the enabled features.',
  args: (arg) => ({
    key: arg.string({ required: true, description: 'Name of the feature.' }),
    on: arg.boolean({ required: true, description: 'Whether to enable it.' }),
  }),
  run: (ctx, { key, on }) => setFeature(ctx, key, on),
});

/**
 * Turns a feature of the ctx's workspace on or off.
 * @returns the enabled features
 * @throws BAD_REQUEST for an unknown one
 */
export async function setFeature(ctx: Ctx, key: string, on: boolean): Promise<string[]> {
  if (!Object.hasOwn(FEATURES, key)) {
    throw errors.badRequest(
      `There is no feature ${key}. The features are ${Object.keys(FEATURES).join(', ')}.`,
    );
  }
  const [row] = await ctx.db.rows<{ features: string[] }>(
    sql`update workspace set features = array(
       select distinct f
       from unnest(case when ${on} then features || ${key}::text else array_remove(features, ${key}::text) end) f
       order by f)
     where id = ${ctx.workspace.id} returning features`,
  );
  return row!.features;
}
