import { type GraphQLFieldConfigMap, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Registry } from '../../../src/engine/model/model.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';
import { type GraphPlan, ROOT_KINDS, type RootKind } from '../plan/definition.ts';
import { planOf } from '../plan/plan.ts';
import { addedFields, foreignField, foreignTypes } from './foreign.ts';
import { type Added, type Foreign, Types } from './types.ts';

/** What the schema of the product is made of, and those of workspaces with models of their own. */
export interface Parts {
  /** Of the product. */
  registry: Registry;
  plan: GraphPlan;
  /** What the builder made: the hand-written nouns and verbs. */
  built: GraphQLSchema;
  foreign: Map<string, Foreign>;
  /** What it adds to planned types. */
  added: Map<string, Added>;
  /** Its root fields. */
  builtFields: Record<RootKind, GraphQLFieldConfigMap<unknown, unknown>>;
}

export function partsOf(registry: Registry, built: GraphQLSchema): Parts {
  const plan = planOf(registry);
  const fieldsOf = (kind: RootKind) => builtRoot(built, kind)?.toConfig().fields ?? {};
  return {
    registry,
    plan,
    built,
    foreign: foreignTypes(built, nameIn(registry)),
    added: addedFields(built, nameIn(registry)),
    builtFields: {
      query: fieldsOf('query'),
      mutation: fieldsOf('mutation'),
      subscription: fieldsOf('subscription'),
    },
  };
}

export const nameIn = (registry: Registry) => (model: string) =>
  getModelGraphNames(registry.get(model)!).type;

/** The record graph and the builder's schema as one. */
export function joinedSchema(parts: Parts): GraphQLSchema {
  const { registry, plan, built, foreign, added } = parts;
  const types = new Types({
    registry,
    planned: (name) => plan.types.get(name),
    foreign: (name) => foreign.get(name),
    added: (name) => added.get(name),
  });
  const config = built.toConfig();
  const roots = Object.fromEntries(ROOT_KINDS.map((kind) => [kind, rootType(types, kind, parts)]));
  const more = STANDALONE.map((name) => types.find(name)!);
  return new GraphQLSchema({ directives: config.directives, ...roots, types: more, assumeValid: true });
}

/** Types for clients that no field leads to. */
const STANDALONE = ['ErrorCode'];

function rootType(
  types: Types,
  kind: RootKind,
  { registry, plan, built, builtFields }: Parts,
): GraphQLObjectType | null {
  const root = builtRoot(built, kind);
  const own = Object.entries(builtFields[kind]);
  if (own.length === 0 && plan.roots[kind].size === 0) return null;
  return new GraphQLObjectType<unknown, Ctx>({
    name: root?.name ?? ROOT_NAMES[kind],
    description: root?.description ?? SUBSCRIPTION,
    fields: () => ({
      ...types.fieldsOf([...plan.roots[kind].values()]),
      ...Object.fromEntries(
        own.map(([name, config]) => [name, foreignField(types, nameIn(registry), config)]),
      ),
    }),
  });
}

/** The builder has the other roots. */
export const SUBSCRIPTION = 'Events as they happen, as server-sent events.';

export const ROOT_NAMES: Record<RootKind, string> = {
  query: 'Query',
  mutation: 'Mutation',
  subscription: 'Subscription',
};

export const builtRoot = (schema: GraphQLSchema, kind: RootKind): GraphQLObjectType | null | undefined =>
  ({
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  })[kind];
