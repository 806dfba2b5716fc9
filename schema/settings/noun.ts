import type { ObjectRef } from '@pothos/core';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { builder } from '../../src/engine/verb/builder.ts';
import { assertCanCall } from '../../src/engine/verb/policy.ts';
import { limits } from '../../src/limits.ts';
import { foreignRowLoaders } from '../graph/read/foreign-rows.ts';
import { type PageArguments, parsePageArguments } from '../graph/read/page.ts';
import { checkCursorForm, checkCursors } from './cursor.ts';
import { referToOrderInput, referToWhereInput } from './filters.ts';
import { type Noun, nouns } from './nouns.ts';
import { buildRowCondition, getSettingsLoader } from './read-resource.ts';
import { runInSequence } from './request-sequence.ts';
import { getDelegate, restrictToVisible } from './visible-where.ts';
import { buildPrismaOrder, buildPrismaWhere, type PrismaWhere, type SettingsOrder } from './where.ts';

interface ResourceListArguments extends PageArguments {
  where?: unknown;
  orderBy?: SettingsOrder[] | null;
}

const made = new Map<string, ReturnType<typeof buildListTypes>>();

function getListTypes(noun: Noun, ref: unknown) {
  let types = made.get(noun.type);
  if (!types) {
    types = buildListTypes(noun, ref as ObjectRef<never, object>);
    made.set(noun.type, types);
  }
  return types;
}

function buildListTypes({ type }: Noun, ref: ObjectRef<never, object>) {
  const connection = builder.connectionObject(
    {
      type: ref as never,
      name: `${type}Connection`,
      description: `A page of a list of ${type}.`,
      fields: (t) => ({
        totalCount: t.int({
          description: 'Number of records in the whole list. Counted only when asked for.',
          extensions: { pothosPrismaTotalCount: true },
          resolve: (page) => getTotalCount(page as { totalCount?: unknown }),
        }),
      }),
    },
    { name: `${type}Edge`, description: `One ${type} of a page.` },
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
      description: 'What to order by; the newest records come first by default.',
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
export function addResourceRoots(noun: Noun, ref: unknown, roots: { many: string; one: string }): void {
  nouns.set(noun.model, noun);
  // Callers who may not query the resource by id cannot reach it through a relation either, such as an email's template
  // with a workspace key.
  foreignRowLoaders.set(noun.model, async (ctx, id, info) => {
    if (!ctx.sudo) assertCanCall(ctx, noun.policy);
    return getSettingsLoader(ctx, noun, info).load(id);
  });
  const types = getListTypes(noun, ref);
  builder.queryField(roots.many, (t) => listField(t as unknown as FieldBuilder, noun, ref, types));
  builder.queryField(roots.one, (t) => buildOneField(t as unknown as FieldBuilder, noun, ref));
}

function listField(
  t: FieldBuilder,
  noun: Noun,
  ref: unknown,
  types: ReturnType<typeof buildListTypes>,
): never {
  return withPageCheck(t).prismaConnection(
    {
      type: ref,
      cursor: 'workspace_id_id',
      policy: noun.policy,
      description:
        `Lists ${noun.type} records, newest first. Returns ${limits.graphql.pageDefault} unless \`first\` or ` +
        `\`last\` says otherwise (at most ${limits.graphql.page}).`,
      args: {
        ...listArguments(t.arg, types),
        offset: t.arg.int({ description: 'Records to skip, for pages that people jump to.' }),
      },
      resolve: async (query: { skip?: number }, _parent: unknown, args: ResourceListArguments, ctx: Ctx) => {
        const where = await findMatching(ctx, noun, args);
        await checkCursors(ctx, noun, where, args);
        const skip = (query.skip ?? 0) + (args.offset ?? 0);
        const orderBy = buildPrismaOrder(getModel(ctx, noun.model), args.orderBy);
        return runInSequence(ctx, () => getDelegate(ctx, noun).findMany({ ...query, skip, where, orderBy }));
      },
      totalCount: async (_parent: unknown, args: ResourceListArguments, ctx: Ctx) => {
        const where = await findMatching(ctx, noun, args);
        return runInSequence(ctx, () => getDelegate(ctx, noun).count({ where }));
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

const buildOneField = (t: FieldBuilder, noun: Noun, ref: unknown): never =>
  t.prismaField({
    type: ref,
    nullable: true,
    policy: noun.policy,
    description: `Returns the ${noun.type} with this id, or null if there is none that the caller can read.`,
    args: { id: t.arg.id({ required: true, description: 'Id of the record.' }) },
    resolve: async (query: object, _parent: unknown, { id }: { id: string }, ctx: Ctx) =>
      getDelegate(ctx, noun).findFirst({ ...query, where: await buildRowCondition(ctx, noun, id) }),
  });

/** A list of the resource as a relation of another one, under its name in the Prisma schema. */
export function buildRelatedList(
  t: unknown,
  relation: string,
  noun: Noun,
  ref: unknown,
  description: string,
): never {
  const fields = t as FieldBuilder;
  const types = getListTypes(noun, ref);
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
        const where = await findMatching(ctx, noun, args);
        await checkCursors(ctx, noun, where, args);
        return { where, orderBy: buildPrismaOrder(getModel(ctx, noun.model), args.orderBy) };
      },
    },
    types.connection,
  );
}

const findMatching = async (ctx: Ctx, noun: Noun, { where }: ResourceListArguments): Promise<PrismaWhere> =>
  restrictToVisible(ctx, noun, await buildPrismaWhere(ctx, getModel(ctx, noun.model), where));
