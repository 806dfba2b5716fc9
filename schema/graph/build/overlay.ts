import {
  type GraphQLFieldMap,
  type GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  introspectionTypes,
  type OperationTypeNode,
  specifiedScalarTypes,
} from 'graphql';
import { createCache } from '../../../src/cache.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { numberGraphNames } from '../../../src/engine/model/registry.ts';
import { type GraphPlan, ROOT_KINDS } from '../plan/definition.ts';
import { buildLineTypes } from '../plan/inputs.ts';
import { isGraphField } from '../plan/names.ts';
import { addToPlan, buildModelRoots, buildModelTypes } from '../plan/plan.ts';
import { buildEnumTypes } from '../plan/records.ts';
import { joinForeignField } from './foreign.ts';
import { findHiddenParts, type HiddenParts } from './hidden.ts';
import {
  createTypeNamer,
  getBuiltRoot,
  ROOT_NAMES,
  type SchemaParts,
  SUBSCRIPTION_DESCRIPTION,
} from './schema.ts';
import { GraphTypes } from './types.ts';

const MAX_CACHED_SCHEMAS = 64;

/**
 * Creates workspace schemas. A workspace with all apps and no customizations uses the built-in schema. The types of
 * other schemas are created on first use (ADR 21). Few schemas are cached, because creating one takes less than a
 * millisecond.
 */
export function createSchemas(
  parts: SchemaParts,
  product: GraphQLSchema,
): (registry: Registry) => GraphQLSchema {
  const cache = createCache<Registry, GraphQLSchema>({ entries: MAX_CACHED_SCHEMAS });
  return (registry) =>
    registry === parts.registry
      ? product
      : cache.getOrCreate(registry, () => buildOverlay(parts, product, registry));
}

function buildOverlay(parts: SchemaParts, product: GraphQLSchema, registry: Registry): GraphQLSchema {
  const plan = buildOwnPlan(parts, registry);
  const hiddenParts = findHiddenParts(parts, registry);
  const getVisible = <T>(from: ReadonlyMap<string, T>, name: string) =>
    hiddenParts.types.has(name) ? undefined : from.get(name);
  const types: GraphTypes = new GraphTypes({
    registry,
    planned: (name) => plan.types.get(name) ?? getVisible(parts.plan.types, name),
    foreign: (name) => getVisible(parts.foreign, name),
    added: (name) => parts.added.get(name),
  });
  return new OverlaySchema(parts, product, { ownPlan: plan, hidden: hiddenParts }, types, registry);
}

interface SchemaDifference {
  ownPlan: GraphPlan;
  hidden: HiddenParts;
}

/**
 * Plans the types and root fields that exist only in the workspace. Built-in types with additional fields keep their
 * plan.
 */
function buildOwnPlan(parts: SchemaParts, registry: Registry): GraphPlan {
  const { registry: product, plan } = parts;
  const ownPlan: GraphPlan = {
    types: new Map(),
    roots: { query: new Map(), mutation: new Map(), subscription: new Map() },
  };
  for (const model of registry.values()) {
    const shippedModel = product.get(model.name);
    if (!shippedModel) {
      assignGraphNames(parts, ownPlan, model);
      addToPlan(ownPlan, model);
    } else if (shippedModel !== model)
      for (const field of model.fields.values())
        if (field.custom && isGraphField(field))
          for (const type of [...buildEnumTypes(model, field), ...buildLineTypes(model, field)])
            ownPlan.types.set(type.name, type);
  }
  // Built-in types take precedence over custom types with the same name.
  for (const name of ownPlan.types.keys()) if (plan.types.has(name)) ownPlan.types.delete(name);
  return ownPlan;
}

/**
 * Chooses a custom model's GraphQL names. If types or root fields collide, such as the type of `x_plan_where` and the
 * conditions of `x_plan`, the later model gets numbered names.
 */
function assignGraphNames(parts: SchemaParts, plan: GraphPlan, model: Model): void {
  for (let number = 1; ; number++) {
    numberGraphNames(model, number);
    const roots = buildModelRoots(model);
    const isTaken =
      buildModelTypes(model).some(({ name }) => plan.types.has(name) || isTypeNameTaken(parts, name)) ||
      ROOT_KINDS.some((kind) =>
        roots[kind].some(
          ({ name }) =>
            plan.roots[kind].has(name) || parts.plan.roots[kind].has(name) || name in parts.builtFields[kind],
        ),
      );
    if (!isTaken) return;
  }
}

const isTypeNameTaken = ({ plan, foreign }: SchemaParts, name: string): boolean =>
  plan.types.has(name) || foreign.has(name) || BUILT_IN_TYPES.has(name) || isRootName(name);

const isRootName = (name: string): boolean => Object.values(ROOT_NAMES).includes(name);

const BUILT_IN_TYPES = new Map<string, GraphQLNamedType>(
  [...introspectionTypes, ...specifiedScalarTypes].map((type) => [type.name, type]),
);

class OverlaySchema extends GraphQLSchema {
  readonly #types: GraphTypes;
  readonly #roots: Map<string, GraphQLObjectType>;
  readonly #names: () => string[];
  #map: Record<string, GraphQLNamedType> | undefined;

  constructor(
    parts: SchemaParts,
    product: GraphQLSchema,
    difference: SchemaDifference,
    types: GraphTypes,
    registry: Registry,
  ) {
    super({ directives: product.getDirectives(), assumeValid: true });
    this.#types = types;
    this.#roots = new Map(
      ROOT_KINDS.filter((kind) => getBuiltRoot(product, kind)).map((kind) => [
        kind,
        new LazyRoot(parts, difference, types, kind, registry),
      ]),
    );
    const { ownPlan, hidden } = difference;
    this.#names = () => [
      ...ownPlan.types.keys(),
      ...Object.keys(product.getTypeMap()).filter((name) => !hidden.types.has(name)),
    ];
  }

  override getQueryType = () => this.#roots?.get('query');
  override getMutationType = () => this.#roots?.get('mutation');
  override getSubscriptionType = () => this.#roots?.get('subscription');
  override getRootType(operation: OperationTypeNode) {
    return this.#roots.get(operation);
  }

  override getType(name: string): GraphQLNamedType | undefined {
    for (const root of this.#roots.values()) if (root.name === name) return root;
    return BUILT_IN_TYPES.get(name) ?? this.#types.find(name);
  }

  /** Creates types on first use. Validation looks up only a few, and introspection all of them. */
  override getTypeMap(): Record<string, GraphQLNamedType> {
    this.#map ??= createLazyObject(new Set(this.#names()), (name) => this.getType(name));
    return this.#map;
  }
}

type RootFields = GraphQLFieldMap<unknown, Ctx>;

/** A root type whose hundreds of fields are created on first use. */
class LazyRoot extends GraphQLObjectType<unknown, Ctx> {
  readonly #fields: RootFields;

  constructor(
    parts: SchemaParts,
    { ownPlan, hidden }: SchemaDifference,
    types: GraphTypes,
    kind: keyof typeof ROOT_NAMES,
    registry: Registry,
  ) {
    const description = getBuiltRoot(parts.built, kind)?.description ?? SUBSCRIPTION_DESCRIPTION;
    super({ name: ROOT_NAMES[kind], description, fields: {} });
    const builtFields = parts.builtFields[kind];
    const { roots } = parts.plan;
    const ofProduct = [...roots[kind].keys(), ...Object.keys(builtFields)].filter(
      (name) => !hidden.root(name, builtFields[name] ? undefined : roots[kind].get(name)),
    );
    const names = new Set([...ownPlan.roots[kind].keys(), ...ofProduct]);
    const make = (name: string) => {
      const def = ownPlan.roots[kind].get(name) ?? roots[kind].get(name);
      const config = builtFields[name]
        ? joinForeignField(types, createTypeNamer(registry), builtFields[name])
        : def && types.fieldOf(def);
      return (
        config && new GraphQLObjectType({ name: this.name, fields: { [name]: config } }).getFields()[name]
      );
    };
    this.#fields = createLazyObject(names, make);
  }

  override getFields(): RootFields {
    return this.#fields;
  }
}

function createLazyObject<T>(
  names: ReadonlySet<string>,
  make: (name: string) => T | undefined,
): Record<string, T> {
  const values: Record<string, T> = Object.create(null);
  const getValue = (name: string): T | undefined => {
    if (!(name in values) && names.has(name)) {
      const value = make(name);
      if (value !== undefined) values[name] = value;
    }
    return values[name];
  };
  return new Proxy(values, {
    get: (_target, name) => (typeof name === 'string' ? getValue(name) : undefined),
    has: (_target, name) => names.has(String(name)),
    ownKeys: () => [...names],
    getOwnPropertyDescriptor: (_target, name) =>
      names.has(String(name))
        ? { configurable: true, enumerable: true, get: () => getValue(String(name)) }
        : undefined,
  });
}
