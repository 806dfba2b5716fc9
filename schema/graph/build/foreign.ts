import {
  type GraphQLArgumentConfig,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
  GraphQLUnionType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { getRefModel } from '../../../src/engine/operation/record-ref.ts';
import type { AddedFields, ForeignType, GraphTypes } from './types.ts';

type TypeNamer = (model: string) => string;

/** Collects functions that recreate the builder's types with references to the joined schema's types. */
export function collectForeignTypes(schema: GraphQLSchema, getName: TypeNamer): Map<string, ForeignType> {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const foreignTypes = Object.values(schema.getTypeMap()).filter(
    (type) =>
      !isIntrospectionType(type) && !roots.has(type as GraphQLObjectType) && getRefModel(type.name) === null,
  );
  return new Map(
    foreignTypes.map((type) => [type.name, (types) => joinType(type, new SchemaJoiner(types, getName))]),
  );
}

/** Collects the fields that the builder adds to record graph types, by type name (see record-ref.ts). */
export function collectAddedFields(schema: GraphQLSchema, getName: TypeNamer): Map<string, AddedFields> {
  const addedFields = new Map<string, AddedFields>();
  for (const type of Object.values(schema.getTypeMap())) {
    const model = getRefModel(type.name);
    if (model === null || !isObjectType(type)) continue;
    const { id: _, ...fields } = type.toConfig().fields;
    if (Object.keys(fields).length === 0) continue;
    addedFields.set(getName(model), (types) => {
      const joiner = new SchemaJoiner(types, getName);
      return mapValues(fields, (field) => joiner.field(field));
    });
  }
  return addedFields;
}

export const joinForeignField = (
  types: GraphTypes,
  getName: TypeNamer,
  config: GraphQLFieldConfig<unknown, unknown>,
): GraphQLFieldConfig<unknown, unknown> => new SchemaJoiner(types, getName).field(config);

/** Redirects references to the joined schema's types. */
class SchemaJoiner {
  readonly #types: GraphTypes;
  readonly #nameOf: TypeNamer;

  constructor(types: GraphTypes, getName: TypeNamer) {
    this.#types = types;
    this.#nameOf = getName;
  }

  type<T extends GraphQLType>(type: T): T {
    if (isNonNullType(type)) return new GraphQLNonNull(this.type(type.ofType)) as GraphQLType as T;
    if (isListType(type)) return new GraphQLList(this.type(type.ofType)) as GraphQLType as T;
    const { name } = type as GraphQLNamedType;
    const model = getRefModel(name);
    return this.#types.getType(model === null ? name : this.#nameOf(model)) as T;
  }

  field<C extends GraphQLFieldConfig<never, never>>(config: C): C {
    const args = Object.entries(config.args ?? {}).map(([name, arg]): [string, GraphQLArgumentConfig] => [
      name,
      { ...arg, type: this.type<GraphQLInputType>(arg.type) },
    ]);
    return { ...config, type: this.type<GraphQLOutputType>(config.type), args: Object.fromEntries(args) };
  }
}

function joinType(type: GraphQLNamedType, joiner: SchemaJoiner): GraphQLNamedType {
  if (isObjectType(type)) {
    const config = type.toConfig();
    return new GraphQLObjectType({
      ...config,
      interfaces: () => config.interfaces.map((item) => joiner.type(item)),
      fields: () => mapValues(config.fields, (field) => joiner.field(field)),
    });
  }
  if (isInterfaceType(type)) {
    const config = type.toConfig();
    return new GraphQLInterfaceType({
      ...config,
      fields: () => mapValues(config.fields, (field) => joiner.field(field)),
    });
  }
  if (isUnionType(type)) {
    const config = type.toConfig();
    return new GraphQLUnionType({ ...config, types: () => config.types.map((type) => joiner.type(type)) });
  }
  if (isInputObjectType(type)) {
    const config = type.toConfig();
    return new GraphQLInputObjectType({
      ...config,
      fields: () =>
        mapValues(config.fields, (field) => ({ ...field, type: joiner.type<GraphQLInputType>(field.type) })),
    });
  }
  return type;
}

const mapValues = <T>(object: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
