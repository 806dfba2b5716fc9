import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  type GraphQLType,
  GraphQLUnionType,
} from 'graphql';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Registry } from '../../../src/engine/model/model.ts';
import type { FieldDef, TypeDef } from '../plan/definition.ts';
import { buildResolver } from '../resolvers.ts';

const BUILT_IN_TYPES = new Map<string, GraphQLNamedType>(
  [GraphQLInt, GraphQLFloat, GraphQLString, GraphQLBoolean, GraphQLID].map((type) => [type.name, type]),
);

type FieldConfig = GraphQLFieldConfig<unknown, Ctx>;

/** Creates a type from another source, with references to `types`. */
export type ForeignType = (types: GraphTypes) => GraphQLNamedType;

/** Creates a planned type's handwritten fields, with references to `types`. */
export type AddedFields = (types: GraphTypes) => GraphQLFieldConfigMap<unknown, Ctx>;

interface TypeSources {
  registry: Registry;
  added(name: string): AddedFields | undefined;
  planned(name: string): TypeDef | undefined;
  foreign(name: string): ForeignType | undefined;
}

/** GraphQL types by name, created on first use. */
export class GraphTypes {
  readonly #sources: TypeSources;
  readonly #named = new Map<string, GraphQLNamedType>();
  readonly #wrapped = new Map<string, GraphQLType>();

  constructor(sources: TypeSources) {
    this.#sources = sources;
  }

  find(name: string): GraphQLNamedType | undefined {
    const existingType = BUILT_IN_TYPES.get(name) ?? this.#named.get(name);
    if (existingType) return existingType;
    const plannedDef = this.#sources.planned(name);
    const type = plannedDef ? this.#make(plannedDef) : this.#sources.foreign(name)?.(this);
    if (type) this.#named.set(name, type);
    return type;
  }

  /** Parses a type reference in SDL notation. @throws Error if a name has no type */
  getType(text: string): GraphQLType {
    let type = this.#wrapped.get(text);
    if (!type) {
      type = this.#parse(text);
      this.#wrapped.set(text, type);
    }
    return type;
  }

  #parse(text: string): GraphQLType {
    if (text.endsWith('!')) return new GraphQLNonNull(this.getType(text.slice(0, -1)) as GraphQLOutputType);
    if (text.startsWith('[')) return new GraphQLList(this.getType(text.slice(1, -1)));
    const type = this.find(text);
    if (!type) throw new Error(`the GraphQL schema has no type ${text}`);
    return type;
  }

  #make({ kind, name, about, fields }: TypeDef): GraphQLNamedType {
    const { registry } = this.#sources;
    const all = () => fields(registry);
    const description = about;
    if (kind === 'enum')
      return new GraphQLEnumType({ name, description, values: () => buildEnumValues(all()) });
    if (kind === 'union')
      return new GraphQLUnionType({
        name,
        description,
        types: () => all().map((field) => this.getType(field.type) as GraphQLObjectType),
      });
    if (kind === 'object')
      return new GraphQLObjectType({
        name,
        description,
        fields: () => ({ ...this.fieldsOf(all()), ...this.#sources.added(name)?.(this) }),
      });
    return new GraphQLInputObjectType({
      name,
      description,
      fields: () => Object.fromEntries(all().map((field) => [field.name, this.#inputField(field)])),
    });
  }

  #inputField({ type, about, default: defaultValue }: FieldDef) {
    return { type: this.getType(type) as GraphQLInputType, description: about, defaultValue };
  }

  fieldsOf(fields: FieldDef[]): GraphQLFieldConfigMap<unknown, Ctx> {
    return Object.fromEntries(fields.map((field) => [field.name, this.fieldOf(field)]));
  }

  fieldOf(def: FieldDef): FieldConfig {
    return {
      type: this.getType(def.type) as GraphQLOutputType,
      description: def.about,
      args: Object.fromEntries(
        (def.args ?? []).map((arg) => [
          arg.name,
          {
            type: this.getType(arg.type) as GraphQLInputType,
            description: arg.about,
            defaultValue: arg.default,
          },
        ]),
      ),
      ...buildResolver(this.#sources.registry, def),
    };
  }
}

const buildEnumValues = (fields: FieldDef[]) =>
  Object.fromEntries(fields.map(({ name, value, about }) => [name, { value, description: about }]));
