import { type GraphQLFieldConfigMap, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Registry } from '../../../src/engine/model/model.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';
import { type GraphPlan, ROOT_KINDS, type RootKind } from '../plan/definition.ts';
import { buildGraphPlan } from '../plan/plan.ts';
import { collectAddedFields, collectForeignTypes, joinForeignField } from './foreign.ts';
import { type AddedFields, type ForeignType, GraphTypes } from './types.ts';

export interface SchemaParts {
  registry: Registry;
  plan: GraphPlan;
  /** The builder's schema, with the handwritten types and operations. */
  built: GraphQLSchema;
  foreign: Map<string, ForeignType>;
  added: Map<string, AddedFields>;
  builtFields: Record<RootKind, GraphQLFieldConfigMap<unknown, unknown>>;
}

export function buildSchemaParts(registry: Registry, builtSchema: GraphQLSchema): SchemaParts {
  const plan = buildGraphPlan(registry);
  const getBuiltFields = (kind: RootKind) => getBuiltRoot(builtSchema, kind)?.toConfig().fields ?? {};
  return {
    registry,
    plan,
    built: builtSchema,
    foreign: collectForeignTypes(builtSchema, createTypeNamer(registry)),
    added: collectAddedFields(builtSchema, createTypeNamer(registry)),
    builtFields: {
      query: getBuiltFields('query'),
      mutation: getBuiltFields('mutation'),
      subscription: getBuiltFields('subscription'),
    },
  };
}

export const createTypeNamer = (registry: Registry) => (model: string) =>
  getModelGraphNames(registry.get(model)!).type;

export function buildJoinedSchema(parts: SchemaParts): GraphQLSchema {
  const { registry, plan, built, foreign, added } = parts;
  const types = new GraphTypes({
    registry,
    planned: (name) => plan.types.get(name),
    foreign: (name) => foreign.get(name),
    added: (name) => added.get(name),
  });
  const config = built.toConfig();
  const roots = Object.fromEntries(ROOT_KINDS.map((kind) => [kind, buildRootType(types, kind, parts)]));
  const graphQLNamedTypes = STANDALONE_TYPES.map((name) => types.find(name)!);
  return new GraphQLSchema({
    directives: config.directives,
    ...roots,
    types: graphQLNamedTypes,
    assumeValid: true,
  });
}

/** Types that clients need although no field references them. */
const STANDALONE_TYPES = ['ErrorCode'];

function buildRootType(
  types: GraphTypes,
  kind: RootKind,
  { registry, plan, built, builtFields }: SchemaParts,
): GraphQLObjectType | null {
  const root = getBuiltRoot(built, kind);
  const fields = Object.entries(builtFields[kind]);
  if (fields.length === 0 && plan.roots[kind].size === 0) return null;
  return new GraphQLObjectType<unknown, Ctx>({
    name: root?.name ?? ROOT_NAMES[kind],
    description: root?.description ?? SUBSCRIPTION_DESCRIPTION,
    fields: () => ({
      ...types.fieldsOf([...plan.roots[kind].values()]),
      ...Object.fromEntries(
        fields.map(([name, config]) => [name, joinForeignField(types, createTypeNamer(registry), config)]),
      ),
    }),
  });
}

/** The builder describes the other root types. */
export const SUBSCRIPTION_DESCRIPTION = 'Live events, as server-sent events.';

export const ROOT_NAMES: Record<RootKind, string> = {
  query: 'Query',
  mutation: 'Mutation',
  subscription: 'Subscription',
};

export const getBuiltRoot = (schema: GraphQLSchema, kind: RootKind): GraphQLObjectType | null | undefined =>
  ({
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  })[kind];
