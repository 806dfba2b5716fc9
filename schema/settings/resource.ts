import type { ObjectRef } from '@pothos/core';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { builder } from '../../src/engine/operation/builder.ts';
import { assertCanCall } from '../../src/engine/operation/policy.ts';
import { limits } from '../../src/limits.ts';
import { foreignRowLoaders } from '../graph/read/foreign-rows.ts';
import { type PageArguments, parsePageArguments } from '../graph/read/page.ts';
import { checkCursorForm, checkCursors } from './cursor.ts';
import { referToOrderInput, referToWhereInput } from './filters.ts';
import { buildRowCondition, getSettingsLoader } from './read-resource.ts';
import { runInSequence } from './request-sequence.ts';
import { resources, type SettingsResource } from './resources.ts';
import { getDelegate, restrictToVisible } from './visible-where.ts';
import { buildPrismaOrder, buildPrismaWhere, type PrismaWhere, type SettingsOrder } from './where.ts';

interface ResourceListArguments extends PageArguments {
  where?: unknown;
  orderBy?: SettingsOrder[] | null;
}

const made = new Map<string, ReturnType<typeof buildListTypes>>();

function getListTypes(resource: SettingsResource, ref: unknown) {
  let types = made.get(resource.type);
  if (!types) {
    types = buildListTypes(resource, ref as ObjectRef<never, object>);
    made.set(resource.type, types);
  }
  return types;
}

function buildListTypes({ type }: SettingsResource, ref: ObjectRef<never, object>) {
  const connection = builder.connectionObject(
    {
      type: ref as never,
      name: `${type}Connection`,
      description: `A page of ${type} records.`,
      fields: (t) => ({
        totalCount: t.int({
          description: 'Number of records in the whole list. Counted only if requested.',
          extensions: { pothosPrismaTotalCount: true },
          resolve: (page) => getTotalCount(page as { totalCount?: unknown }),
        }),
      }),
    },
    { name: `${type}Edge`, description: `An edge in a page of ${type} records.` },
  );
  return { connection, where: referToWhereInput(type), order: referToOrderInput(type) };
}

/** A root list is counted on demand. The count of a related list is loaded with its record. */
const getTotalCount = ({ totalCount }: { totalCount?: unknown }): number | Promise<number> =>
  typeof totalCount === 'function' ? totalCount() : (totalCount as number);

/** The used part of Pothos' arguments and fields. Their types are determined at runtime here. */
interface ArgumentBuilder {
  (options: object): never;
  int(options: object): never;
  id(options: object): never;
}

function listArguments(arg: ArgumentBuilder, { where, order }: ReturnType<typeof buildListTypes>) {
  return {
    where: arg({ type: where, description: 'Only records that match.' }),
    orderBy: arg({
      type: [order],
      description: 'Sort order. The newest records come first by default.',
    }),
  };
}

interface FieldBuilder {
  arg: ArgumentBuilder;
  connection(options: object, ...types: unknown[]): never;
  prismaConnection(options: object, connection: unknown): never;
  prismaField(options: object): never;
  relatedConnection(name: string, options: object, connection: unknown): never;
}

/** Adds the root fields of a resource: its list, and a record by id. */
export function addResourceRoots(
  resource: SettingsResource,
  ref: unknown,
  roots: { many: string; one: string },
): void {
  resources.set(resource.model, resource);
  // Callers who may not query the resource by id cannot reach it through a relation either, such as an email's template
  // with a workspace key.
  foreignRowLoaders.set(resource.model, async (ctx, id, info) => {
    if (!ctx.sudo) assertCanCall(ctx, resource.policy);
    return getSettingsLoader(ctx, resource, info).load(id);
  });
  const types = getListTypes(resource, ref);
  builder.queryField(roots.many, (t) => listField(t as unknown as FieldBuilder, resource, ref, types));
  builder.queryField(roots.one, (t) => buildOneField(t as unknown as FieldBuilder, resource, ref));
}

function listField(
  t: FieldBuilder,
  resource: SettingsResource,
  ref: unknown,
  types: ReturnType<typeof buildListTypes>,
): never {
  return withPageCheck(t).prismaConnection(
    {
      type: ref,
      cursor: 'workspace_id_id',
      policy: resource.policy,
      description:
        `Lists ${resource.type} records, newest first. Returns ${limits.graphql.pageDefault} unless \`first\` or ` +
        `\`last\` is set (at most ${limits.graphql.page}).`,
      args: {
        ...listArguments(t.arg, types),
        offset: t.arg.int({ description: 'Number of records to skip, to jump to a page.' }),
      },
      resolve: async (query: { skip?: number }, _parent: unknown, args: ResourceListArguments, ctx: Ctx) => {
        const where = await findMatching(ctx, resource, args);
        await checkCursors(ctx, resource, where, args);
        const skip = (query.skip ?? 0) + (args.offset ?? 0);
        const orderBy = buildPrismaOrder(getModel(ctx, resource.model), args.orderBy);
        return runInSequence(ctx, () =>
          getDelegate(ctx, resource).findMany({ ...query, skip, where, orderBy }),
        );
      },
      totalCount: async (_parent: unknown, args: ResourceListArguments, ctx: Ctx) => {
        const where = await findMatching(ctx, resource, args);
        return runInSequence(ctx, () => getDelegate(ctx, resource).count({ where }));
      },
    },
    types.connection,
  );
}

interface ConnectionOptions {
  resolve(
    parent: unknown,
    args: PageArguments,
    ctx: Ctx,
    info: unknown,
  ): Promise<ConnectionPage> | ConnectionPage;
}

interface ConnectionPage {
  pageInfo: { hasPreviousPage: boolean };
}

/** Adds the page checks of record lists to Prisma's lists. An `offset` implies a previous page. */
function withPageCheck(t: FieldBuilder): FieldBuilder {
  const connection = ({ resolve, ...options }: ConnectionOptions, ...types: unknown[]) =>
    t.connection(
      {
        ...options,
        resolve: async (...[parent, args, ctx, info]: Parameters<ConnectionOptions['resolve']>) => {
          parsePageArguments(args);
          checkCursorForm(ctx, args);
          const page = await resolve(parent, args, ctx, info);
          if (args.offset) page.pageInfo.hasPreviousPage = true;
          return page;
        },
      },
      ...types,
    );
  return Object.assign(Object.create(t), { connection });
}

const buildOneField = (t: FieldBuilder, resource: SettingsResource, ref: unknown): never =>
  t.prismaField({
    type: ref,
    nullable: true,
    policy: resource.policy,
    description: `Returns the ${resource.type} with this id, or null if there isn't one that the caller can read.`,
    args: { id: t.arg.id({ required: true, description: 'Id of the record.' }) },
    resolve: async (query: object, _parent: unknown, { id }: { id: string }, ctx: Ctx) =>
      getDelegate(ctx, resource).findFirst({ ...query, where: await buildRowCondition(ctx, resource, id) }),
  });

/** A list of the resource as a relation of another one, under its name in the Prisma schema. */
export function buildRelatedList(
  t: unknown,
  relation: string,
  resource: SettingsResource,
  ref: unknown,
  description: string,
): never {
  const fields = t as FieldBuilder;
  const types = getListTypes(resource, ref);
  return fields.relatedConnection(
    relation,
    {
      cursor: 'workspace_id_id',
      totalCount: true,
      type: ref,
      description,
      args: listArguments(fields.arg, types),
      query: async (args: ResourceListArguments, ctx: Ctx) => {
        parsePageArguments(args);
        const where = await findMatching(ctx, resource, args);
        await checkCursors(ctx, resource, where, args);
        return { where, orderBy: buildPrismaOrder(getModel(ctx, resource.model), args.orderBy) };
      },
    },
    types.connection,
  );
}

const findMatching = async (
  ctx: Ctx,
  resource: SettingsResource,
  { where }: ResourceListArguments,
): Promise<PrismaWhere> =>
  restrictToVisible(ctx, resource, await buildPrismaWhere(ctx, getModel(ctx, resource.model), where));
