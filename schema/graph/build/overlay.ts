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
import { limits } from '../../../src/limits.ts';
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

/**
 * The schemas of workspaces: the product's own where one has every app and has added nothing, else one whose types are
 * made when a document first touches them (ADR 21). Few are kept; a workspace that comes back gets a new one in less
 * than a millisecond.
 */
export function createSchemas(
  parts: SchemaParts,
  product: GraphQLSchema,
): (registry: Registry) => GraphQLSchema {
  const kept = createCache<Registry, GraphQLSchema>({ entries: limits.graphql.workspaceSchemas });
  return (registry) =>
    registry === parts.registry
      ? product
      : kept.getOrCreate(registry, () => buildOverlay(parts, product, registry));
}

function buildOverlay(parts: SchemaParts, product: GraphQLSchema, registry: Registry): GraphQLSchema {
  const own = buildOwnPlan(parts, registry);
  const hidden = findHiddenParts(parts, registry);
  const getVisible = <T>(from: ReadonlyMap<string, T>, name: string) =>
    hidden.types.has(name) ? undefined : from.get(name);
  const types: GraphTypes = new GraphTypes({
    registry,
    planned: (name) => own.types.get(name) ?? getVisible(parts.plan.types, name),
    foreign: (name) => getVisible(parts.foreign, name),
    added: (name) => parts.added.get(name),
  });
  return new OverlaySchema(parts, product, { own, hidden }, types, registry);
}

/** How the schema of a workspace differs from the product's. */
interface SchemaDifference {
  own: GraphPlan;
  hidden: HiddenParts;
}

/** What the workspace has that the product has not. Types of the product with more fields are planned as they were. */
function buildOwnPlan(parts: SchemaParts, registry: Registry): GraphPlan {
  const { registry: product, plan } = parts;
  const own: GraphPlan = {
    types: new Map(),
    roots: { query: new Map(), mutation: new Map(), subscription: new Map() },
  };
  for (const model of registry.values()) {
    const shipped = product.get(model.name);
    if (!shipped) {
      nameModel(parts, own, model);
      addToPlan(own, model);
    } else if (shipped !== model)
      for (const field of model.fields.values())
        if (field.custom && isGraphField(field))
          for (const type of [...buildEnumTypes(model, field), ...buildLineTypes(model, field)])
            own.types.set(type.name, type);
  }
  // Of types that a field brings, the product's stays.
  for (const name of own.types.keys()) if (plan.types.has(name)) own.types.delete(name);
  return own;
}

/**
 * Models of a workspace may be called so that their types or root fields would have the names of others (`x_plan_where`
 * and the conditions of `x_plan`); the later model then has numbered names.
 */
function nameModel(parts: SchemaParts, own: GraphPlan, model: Model): void {
  for (let number = 1; ; number++) {
    numberGraphNames(model, number);
    const roots = buildModelRoots(model);
    const isTaken =
      buildModelTypes(model).some(({ name }) => own.types.has(name) || isTypeOf(parts, name)) ||
      ROOT_KINDS.some((kind) =>
        roots[kind].some(
          ({ name }) =>
            own.roots[kind].has(name) || parts.plan.roots[kind].has(name) || name in parts.builtFields[kind],
        ),
      );
    if (!isTaken) return;
  }
}

/** Whether the product has a type of the name. */
const isTypeOf = ({ plan, foreign }: SchemaParts, name: string): boolean =>
  plan.types.has(name) || foreign.has(name) || INTROSPECTION.has(name) || isRootName(name);

const isRootName = (name: string): boolean => Object.values(ROOT_NAMES).includes(name);

const INTROSPECTION = new Map<string, GraphQLNamedType>(
  [...introspectionTypes, ...specifiedScalarTypes].map((type) => [type.name, type]),
);

/** A schema that makes its types on demand. */
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
    const { own, hidden } = difference;
    this.#names = () => [
      ...own.types.keys(),
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
    return INTROSPECTION.get(name) ?? this.#types.find(name);
  }

  /** Validation looks up a few names in it, introspection all. */
  override getTypeMap(): Record<string, GraphQLNamedType> {
    this.#map ??= createLazyObject(new Set(this.#names()), (name) => this.getType(name));
    return this.#map;
  }
}

type RootFields = GraphQLFieldMap<unknown, Ctx>;

/** A root type of hundreds of fields, each made when it is asked for. */
class LazyRoot extends GraphQLObjectType<unknown, Ctx> {
  readonly #fields: RootFields;

  constructor(
    parts: SchemaParts,
    { own, hidden }: SchemaDifference,
    types: GraphTypes,
    kind: keyof typeof ROOT_NAMES,
    registry: Registry,
  ) {
    const description = getBuiltRoot(parts.built, kind)?.description ?? SUBSCRIPTION_DESCRIPTION;
    super({ name: ROOT_NAMES[kind], description, fields: {} });
    const built = parts.builtFields[kind];
    const { roots } = parts.plan;
    const ofProduct = [...roots[kind].keys(), ...Object.keys(built)].filter(
      (name) => !hidden.root(name, built[name] ? undefined : roots[kind].get(name)),
    );
    const names = new Set([...own.roots[kind].keys(), ...ofProduct]);
    const make = (name: string) => {
      const def = own.roots[kind].get(name) ?? roots[kind].get(name);
      const config = built[name]
        ? joinForeignField(types, createTypeNamer(registry), built[name])
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

/** An object with these keys, whose values are made when they are first read. */
function createLazyObject<T>(
  names: ReadonlySet<string>,
  make: (name: string) => T | undefined,
): Record<string, T> {
  const made: Record<string, T> = Object.create(null);
  const read = (name: string): T | undefined => {
    if (!(name in made) && names.has(name)) {
      const value = make(name);
      if (value !== undefined) made[name] = value;
    }
    return made[name];
  };
  return new Proxy(made, {
    get: (_target, name) => (typeof name === 'string' ? read(name) : undefined),
    has: (_target, name) => names.has(String(name)),
    ownKeys: () => [...names],
    getOwnPropertyDescriptor: (_target, name) =>
      names.has(String(name))
        ? { configurable: true, enumerable: true, get: () => read(String(name)) }
        : undefined,
  });
}
