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
import { linesDefs } from '../plan/inputs.ts';
import { isShown } from '../plan/names.ts';
import { addToPlan, rootsOf, typesOf } from '../plan/plan.ts';
import { enumDefs } from '../plan/records.ts';
import { foreignField } from './foreign.ts';
import { type Hidden, hiddenOf } from './hidden.ts';
import { builtRoot, nameIn, type Parts, ROOT_NAMES, SUBSCRIPTION } from './schema.ts';
import { Types } from './types.ts';

/**
 * The schemas of workspaces: the product's own where one has every app and has added nothing, else one whose types are
 * made when a document first touches them (ADR 21). Few are kept; a workspace that comes back gets a new one in less
 * than a millisecond.
 */
export function createSchemas(parts: Parts, product: GraphQLSchema): (registry: Registry) => GraphQLSchema {
  const kept = createCache<Registry, GraphQLSchema>({ entries: limits.graphql.workspaceSchemas });
  return (registry) =>
    registry === parts.registry
      ? product
      : kept.getOrCreate(registry, () => overlay(parts, product, registry));
}

function overlay(parts: Parts, product: GraphQLSchema, registry: Registry): GraphQLSchema {
  const own = ownPlan(parts, registry);
  const hidden = hiddenOf(parts, registry);
  const shown = <T>(from: ReadonlyMap<string, T>, name: string) =>
    hidden.types.has(name) ? undefined : from.get(name);
  const types: Types = new Types({
    registry,
    planned: (name) => own.types.get(name) ?? shown(parts.plan.types, name),
    foreign: (name) => shown(parts.foreign, name),
    added: (name) => parts.added.get(name),
  });
  return new OverlaySchema(parts, product, { own, hidden }, types, registry);
}

/** How the schema of a workspace differs from the product's. */
interface Difference {
  own: GraphPlan;
  hidden: Hidden;
}

/** What the workspace has that the product has not. Types of the product with more fields are planned as they were. */
function ownPlan(parts: Parts, registry: Registry): GraphPlan {
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
        if (field.custom && isShown(field))
          for (const type of [...enumDefs(model, field), ...linesDefs(model, field)])
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
function nameModel(parts: Parts, own: GraphPlan, model: Model): void {
  for (let number = 1; ; number++) {
    numberGraphNames(model, number);
    const roots = rootsOf(model);
    const isTaken =
      typesOf(model).some(({ name }) => own.types.has(name) || isTypeOf(parts, name)) ||
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
const isTypeOf = ({ plan, foreign }: Parts, name: string): boolean =>
  plan.types.has(name) || foreign.has(name) || INTROSPECTION.has(name) || isRootName(name);

const isRootName = (name: string): boolean => Object.values(ROOT_NAMES).includes(name);

const INTROSPECTION = new Map<string, GraphQLNamedType>(
  [...introspectionTypes, ...specifiedScalarTypes].map((type) => [type.name, type]),
);

/** A schema that makes its types on demand. */
class OverlaySchema extends GraphQLSchema {
  readonly #types: Types;
  readonly #roots: Map<string, GraphQLObjectType>;
  readonly #names: () => string[];
  #map: Record<string, GraphQLNamedType> | undefined;

  constructor(
    parts: Parts,
    product: GraphQLSchema,
    difference: Difference,
    types: Types,
    registry: Registry,
  ) {
    super({ directives: product.getDirectives(), assumeValid: true });
    this.#types = types;
    this.#roots = new Map(
      ROOT_KINDS.filter((kind) => builtRoot(product, kind)).map((kind) => [
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
    this.#map ??= onDemand(new Set(this.#names()), (name) => this.getType(name));
    return this.#map;
  }
}

type RootFields = GraphQLFieldMap<unknown, Ctx>;

/** A root type of hundreds of fields, each made when it is asked for. */
class LazyRoot extends GraphQLObjectType<unknown, Ctx> {
  readonly #fields: RootFields;

  constructor(
    parts: Parts,
    { own, hidden }: Difference,
    types: Types,
    kind: keyof typeof ROOT_NAMES,
    registry: Registry,
  ) {
    const description = builtRoot(parts.built, kind)?.description ?? SUBSCRIPTION;
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
        ? foreignField(types, nameIn(registry), built[name])
        : def && types.fieldOf(def);
      return (
        config && new GraphQLObjectType({ name: this.name, fields: { [name]: config } }).getFields()[name]
      );
    };
    this.#fields = onDemand(names, make);
  }

  override getFields(): RootFields {
    return this.#fields;
  }
}

/** An object with these keys, whose values are made when they are first read. */
function onDemand<T>(names: ReadonlySet<string>, make: (name: string) => T | undefined): Record<string, T> {
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
