import type { GraphQLFieldConfig, GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Registry } from '../../src/engine/model/model.ts';
import { getRowKey } from '../../src/engine/model/naming.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { buildPolicyDirectives, guardResolver } from '../../src/engine/operation/policy.ts';
import {
  createPeriodResolver,
  loadGroupRecords,
  type RecordGroup,
  readRecordGroups,
} from './groups/groups.ts';
import type { FieldDef, FieldRole } from './plan/definition.ts';
import { type FollowArguments, follow, followTopics, toChangeEvent } from './read/changes.ts';
import { buildEdges, buildPageInfo, type Connection, readMany } from './read/connection.ts';
import { createFileReader } from './read/file.ts';
import { createListReader } from './read/nested.ts';
import { createRelationReader, type GraphRow, readOne } from './read/rows.ts';
import { createMany, createOne, deleteMany, deleteOne, updateMany, updateOne } from './write/write.ts';

const graphPolicy: Policy = { auth: ['USER'], scope: 'read' };

type Resolver = GraphQLFieldResolver<never, Ctx, never>;
type FieldExecution = Pick<GraphQLFieldConfig<unknown, Ctx>, 'resolve' | 'subscribe' | 'extensions'>;
type MakeResolver = (def: FieldDef, registry: Registry) => Resolver | undefined;

/** A field without a resolver returns the property with its name. */
const RESOLVERS: Partial<Record<FieldRole, MakeResolver>> = {
  column: ({ name, field, model }) => {
    const key = getRowKey(field!);
    if (field!.type === 'binary') return createFileReader(model!, field!);
    return key === name ? undefined : (row: GraphRow) => row[key];
  },
  one: ({ field }) => createRelationReader(field!),
  list: ({ field, model }, registry) => createListReader(registry.get(model!)!, field!),
  nodes:
    () =>
    ({ rows }: Connection) =>
      rows,
  edges: () => buildEdges,
  pageInfo: () => buildPageInfo,
  totalCount: () => (connection: Connection) => connection.total(),
  readOne:
    ({ model }) =>
    (_parent, { id }: { id: string }, ctx, info) =>
      readOne(ctx, model!, id, info),
  readMany:
    ({ model }) =>
    (_parent, args: object, ctx, info) =>
      readMany(ctx, model!, args, info),
  readGroups: createRootResolver(readRecordGroups),
  groupDate: ({ field }) => createPeriodResolver(field!),
  groupRecords:
    ({ model }) =>
    (group: RecordGroup, args: object, ctx, info) =>
      loadGroupRecords(ctx, model!, group, args, info),
  createOne: createRootResolver(createOne),
  createMany: createRootResolver(createMany),
  updateOne: createRootResolver(updateOne),
  updateMany: createRootResolver(updateMany),
  deleteOne: createRootResolver(deleteOne),
  deleteMany: createRootResolver(deleteMany),
  changed: () => toChangeEvent,
  live: () => toChangeEvent,
};

const SUBSCRIBERS: Partial<Record<FieldRole, MakeResolver>> = {
  changed:
    ({ model }) =>
    (_parent, args: FollowArguments, ctx, info) =>
      follow(ctx, model!, args, info),
  live: () => (_parent, args: Parameters<typeof followTopics>[1], ctx, info) => followTopics(ctx, args, info),
};

const POLICIES: Partial<Record<FieldRole, (registry: Registry, model: string) => Policy>> = {
  readOne: buildReadPolicy,
  readMany: buildReadPolicy,
  readGroups: buildReadPolicy,
  createOne: buildWritePolicy,
  createMany: buildWritePolicy,
  updateOne: buildWritePolicy,
  updateMany: buildWritePolicy,
  deleteOne: buildWritePolicy,
  deleteMany: buildWritePolicy,
  changed: buildReadPolicy,
  live: () => graphPolicy,
};

function buildReadPolicy(registry: Registry, model: string): Policy {
  return registry.get(model)!.options.graph?.policy ?? graphPolicy;
}

/** Requires read access and the `write` scope. Access rights and record rules decide whether a write is allowed. */
function buildWritePolicy(registry: Registry, model: string): Policy {
  return { ...buildReadPolicy(registry, model), scope: 'write' };
}

function createRootResolver<Args, T>(
  run: (ctx: Ctx, model: string, args: Args, info: GraphQLResolveInfo) => T,
): MakeResolver {
  return ({ model }) =>
    (_parent: unknown, args: Args, ctx: Ctx, info: GraphQLResolveInfo) =>
      run(ctx, model!, args, info);
}

/** Builds a field's resolver with its policy, and metadata for the text path and the SDL. */
export function buildResolver(registry: Registry, def: FieldDef): FieldExecution {
  const { role = 'plain', model, cost } = def;
  const resolve = RESOLVERS[role]?.(def, registry) as GraphQLFieldResolver<unknown, Ctx> | undefined;
  const policy = POLICIES[role]?.(registry, model!);
  if (!policy) return { ...(resolve && { resolve }), extensions: { def, cost } };
  const subscribe = SUBSCRIBERS[role]?.(def, registry) as GraphQLFieldResolver<unknown, Ctx> | undefined;
  return {
    resolve: guardResolver(policy, resolve!),
    ...(subscribe && { subscribe: guardResolver(policy, subscribe) }),
    extensions: { def, policy, directives: buildPolicyDirectives(policy) },
  };
}
