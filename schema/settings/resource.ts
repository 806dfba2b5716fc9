import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { builder } from '../../src/engine/operation/builder.ts';
import { assertCanCall } from '../../src/engine/operation/policy.ts';
import { limits } from '../../src/limits.ts';
import { foreignRowLoaders } from '../graph/read/foreign-rows.ts';
import {
  getRelatedLoader,
  type RelatedList,
  type ResourceListArguments,
  type ResourcePage,
  readList,
} from './list.ts';
import { buildRowCondition, getSettingsLoader } from './read-resource.ts';
import { resources, type SettingsResource } from './resources.ts';
import { getDelegate, type SettingsRow } from './visible-where.ts';

const listTypes = new Map<string, ReturnType<typeof buildListTypes>>();

function getListTypes(resource: SettingsResource, ref: unknown) {
  let types = listTypes.get(resource.type);
  if (!types) {
    types = buildListTypes(resource, ref as ObjectRef<never, object>);
    listTypes.set(resource.type, types);
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
          description: 'Total number of records in the list. Counted only if requested.',
          resolve: (page) => (page as unknown as ResourcePage).total(),
        }),
      }),
    },
    { name: `${type}Edge`, description: `An edge in a page of ${type} records.` },
  );
  return { connection, where: referToWhereInput(type), order: referToOrderInput(type) };
}

/** The parts of Pothos' arguments and fields used here, whose types are determined at runtime. */
interface ArgumentBuilder {
  (options: object): never;
  int(options: object): never;
  id(options: object): never;
}

function listArguments(arg: ArgumentBuilder, { where, order }: ReturnType<typeof buildListTypes>) {
  return {
    where: arg({ type: where, description: 'Only records that match this filter.' }),
    orderBy: arg({
      type: [order],
      description: 'Sort order. The newest records come first by default.',
    }),
  };
}

interface FieldBuilder {
  arg: ArgumentBuilder;
  connection(options: object, connection: unknown): never;
  prismaField(options: object): never;
}

export function addResourceRoots(
  resource: SettingsResource,
  ref: unknown,
  roots: { many: string; one: string },
): void {
  resources.set(resource.model, resource);
  // Callers who may not query the resource by id must not reach it through a relation either. For example, a workspace
  // key must not read an email's template.
  foreignRowLoaders.set(resource.model, async (ctx, id, info) => {
    if (!ctx.sudo) assertCanCall(ctx, resource.policy);
    return getSettingsLoader(ctx, resource, info).load(id);
  });
  const types = getListTypes(resource, ref);
  builder.queryField(roots.many, (t) => buildListField(t as unknown as FieldBuilder, resource, ref, types));
  builder.queryField(roots.one, (t) => buildOneField(t as unknown as FieldBuilder, resource, ref));
}

const buildListField = (
  t: FieldBuilder,
  resource: SettingsResource,
  ref: unknown,
  types: ReturnType<typeof buildListTypes>,
): never =>
  t.connection(
    {
      type: ref,
      policy: resource.policy,
      description:
        `Lists ${resource.type} records, newest first. Returns ${limits.graphql.pageDefault} unless \`first\` or ` +
        `\`last\` is set (at most ${limits.graphql.page}).`,
      args: {
        ...listArguments(t.arg, types),
        offset: t.arg.int({ description: 'Number of records to skip, for jumping to a page.' }),
      },
      resolve: (_parent: unknown, args: ResourceListArguments, ctx: Ctx, info: GraphQLResolveInfo) =>
        readList(ctx, resource, args, info),
    },
    types.connection,
  );

const buildOneField = (t: FieldBuilder, resource: SettingsResource, ref: unknown): never =>
  t.prismaField({
    type: ref,
    nullable: true,
    policy: resource.policy,
    description: `Returns the ${resource.type} with this id, or null if the caller cannot read it.`,
    args: { id: t.arg.id({ required: true, description: 'Id of the record.' }) },
    resolve: async (query: object, _parent: unknown, { id }: { id: string }, ctx: Ctx) =>
      getDelegate(ctx, resource).findFirst({ ...query, where: await buildRowCondition(ctx, resource, id) }),
  });

/**
 * Builds a list field for the relation `relation` of `owner` in the Prisma schema, which contains rows of the resource.
 */
export function buildRelatedList(
  t: unknown,
  { owner, relation }: RelatedList,
  resource: SettingsResource,
  ref: unknown,
  description: string,
): never {
  const fields = t as FieldBuilder;
  const types = getListTypes(resource, ref);
  return fields.connection(
    {
      type: ref,
      description,
      select: { id: true },
      args: listArguments(fields.arg, types),
      resolve: (parent: SettingsRow, args: ResourceListArguments, ctx: Ctx, info: GraphQLResolveInfo) =>
        getRelatedLoader(ctx, { owner, relation }, resource, args, info).load(parent.id),
    },
    types.connection,
  );
}

// The record graph's plan defines the inputs of `where` and `orderBy` for every model. The builder's schema needs only
// their names, because the plan's type replaces the builder's type of the same name (schema/graph/build/types.ts).

const referToInput = (name: string) =>
  builder.inputType(name, {
    description: 'Placeholder for an input of the record graph.',
    fields: (t) => ({
      id: t.id({ description: 'Placeholder that the schema build replaces with the actual fields.' }),
    }),
  });

const referToWhereInput = (type: string) => referToInput(`${type}Where`);

const referToOrderInput = (type: string) => referToInput(`${type}Order`);
