import { queryFromInfo } from '@pothos/plugin-prisma';
import { getPrisma } from '../../../src/db/prisma.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder, GraphQLJson } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { deferUntilCommit } from '../../../src/engine/operation/policy.ts';
import { errors } from '../../../src/errors.ts';
import { buildGraphFields } from '../../email/kit/shape.ts';

export const WORKSPACE_FEATURES: Record<string, boolean> = { email: true, mcp: false };

const Feature = builder.enumType('Feature', {
  description: 'A part of the platform that a workspace can turn on or off.',
  values: {
    MCP: { value: 'mcp', description: 'Access for agents over the Model Context Protocol.' },
    EMAIL: {
      value: 'email',
      description: 'The email service, with domains, contacts, campaigns and webhooks.',
    },
  },
});

const Workspace = builder.prismaObject('Workspace', {
  name: 'Workspace',
  description: 'A tenant with its own users, keys and data.',
  select: { id: true },
  fields: (t) => ({
    ...buildGraphFields(t, {
      id: { type: 'ID', description: 'Unique identifier.' },
      slug: { type: 'String', description: 'Name used in URLs and on the command line.' },
      name: { type: 'String', description: 'Display name.' },
      createdAt: { type: 'DateTime', column: 'created_at', description: 'When the workspace was created.' },
    }),
    features: t.field({
      type: [Feature],
      description: 'Enabled features.',
      select: { features: true },
      resolve: ({ features }) => features as never,
    }),
  }),
});

builder.queryField('workspace', (t) =>
  t.prismaField({
    type: Workspace,
    description: "Returns the caller's workspace.",
    policy: { auth: ['USER', 'TEAM'], scope: 'read' },
    resolve: (query, _parent, _args, ctx) => loadOwnWorkspace(ctx, query),
  }),
);

const loadOwnWorkspace = (ctx: Ctx, query: object) =>
  getPrisma(ctx).workspace.findUniqueOrThrow({ ...query, where: { id: ctx.workspace.id } });

export const featureSet = defineOperation('featureSet', {
  effects: ['writes', 'grants'],
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'feature.set' },
  description: 'Turns a feature of the workspace on or off and returns the workspace.',
  args: (arg) => ({
    feature: arg({ type: Feature, required: true, description: 'Feature to turn on or off.' }),
    on: arg.boolean({ required: true, description: 'True to enable the feature.' }),
  }),
  type: Workspace,
  returns: GraphQLJson,
  run: (ctx, { feature, on }) => setFeature(ctx, feature as string, on),
  answer: (ctx, _features, _args, info) =>
    deferUntilCommit(ctx, (outer) => loadOwnWorkspace(outer, queryFromInfo({ context: outer, info }))),
});

/** @returns the enabled features @throws BAD_REQUEST if the feature is unknown */
export async function setFeature(ctx: Ctx, key: string, isOn: boolean): Promise<string[]> {
  if (!Object.hasOwn(WORKSPACE_FEATURES, key)) {
    throw errors.badRequest(
      `Unknown feature ${key}. Use one of ${Object.keys(WORKSPACE_FEATURES).join(', ')}.`,
    );
  }
  return ctx.db.value<string[]>(
    sql`update workspace set features = array(
       select distinct f
       from unnest(case when ${isOn} then features || ${key}::text else array_remove(features, ${key}::text) end) f
       order by f)
     where id = ${ctx.workspace.id} returning features`,
  );
}

/** @returns the trimmed name @throws BAD_REQUEST if it is empty or too long */
export async function renameWorkspace(ctx: Ctx, newName: string): Promise<string> {
  const name = newName.trim();
  if (!name || name.length > MAX_NAME_LENGTH)
    throw errors.badRequest(`The name of a workspace must have 1 to ${MAX_NAME_LENGTH} characters.`);
  await ctx.db.rows(sql`update workspace set name = ${name} where id = ${ctx.workspace.id}`);
  return name;
}

const MAX_NAME_LENGTH = 200;

/** Slug of the default workspace, which serves requests that name no workspace. */
const DEFAULT_SLUG = 'main';

/**
 * Changes the workspace's slug. The old slug stops working immediately and becomes available.
 * @throws BAD_REQUEST if the slug is invalid or the workspace is `main`, NOT_UNIQUE if the slug is taken
 */
export async function changeSlug(ctx: Ctx, slug: string): Promise<string> {
  checkSlug(slug);
  const { id, slug: before } = ctx.workspace;
  if (before === DEFAULT_SLUG && slug !== DEFAULT_SLUG)
    throw errors.badRequest(
      'The slug "main" cannot be changed, because it belongs to the default workspace.',
    );
  const [row] = await ctx.db.rows(
    sql`update workspace set slug = ${slug} where id = ${id}
       and not exists (select 1 from workspace o where o.slug = ${slug} and o.id <> ${id}) returning id`,
  );
  if (!row) throw createSlugTakenError(slug);
  return slug;
}

const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** @throws BAD_REQUEST if the slug is invalid */
export function checkSlug(slug: string): void {
  if (!SLUG_PATTERN.test(slug))
    throw errors.badRequest(
      'A slug must have 1 to 63 characters: a-z, 0-9 and hyphens. It cannot begin or end with a hyphen.',
    );
}

export const createSlugTakenError = (slug: string): Error =>
  errors.notUnique(`The workspace ${slug} already exists.`);
