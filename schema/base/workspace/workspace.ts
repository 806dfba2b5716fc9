import { prismaOf } from '../../../src/db/prisma.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';

/** The features a workspace can switch, and whether a new one has them. */
export const FEATURES: Record<string, boolean> = { email: true, mcp: false };

export const WorkspaceType = builder.prismaObject('Workspace', {
  name: 'Workspace',
  description: 'The tenant whose data a call reaches.',
  fields: (t) => ({
    id: t.exposeID('id'),
    slug: t.exposeString('slug'),
    name: t.exposeString('name'),
    features: t.exposeStringList('features'),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
  }),
});

builder.queryField('workspace', (t) =>
  t.prismaField({
    type: 'Workspace',
    description: "The caller's workspace.",
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
    description: 'Who is calling.',
    fields: (t) => ({
      login: t.exposeString('login'),
      name: t.exposeString('name'),
      kind: t.exposeString('kind'),
      userId: t.exposeInt('userId', { nullable: true }),
      groups: t.exposeStringList('groups'),
      scopes: t.exposeStringList('scopes', { nullable: true }),
    }),
  });

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Who is calling, and by what right.',
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
  description: 'Switches a feature of the workspace on or off. Answers with the features that are on.',
  args: (arg) => ({ key: arg.string({ required: true }), on: arg.boolean({ required: true }) }),
  run: (ctx, { key, on }) => setFeature(ctx, key, on),
});

/** Switches a feature of the ctx's workspace. @returns the features that are on @throws BAD_REQUEST for an unknown one */
export async function setFeature(ctx: Ctx, key: string, on: boolean): Promise<string[]> {
  if (!Object.hasOwn(FEATURES, key)) {
    throw errors.badRequest(`There is no feature ${key}; known are ${Object.keys(FEATURES).join(', ')}.`);
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
