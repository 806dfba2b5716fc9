import { memoizePerObject } from '../../cache.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { builder } from './builder.ts';

/** A JSON Schema, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type ScalarKind = 'ID' | 'String' | 'Int' | 'Float' | 'Boolean' | 'DateTime' | 'Date' | 'JSON';

/** A field of a shape. A type in an array denotes a list. */
export interface ShapePart {
  type: PartType | [PartType];
  nullable?: boolean;
  optional?: boolean;
  description: string;
  /** Additional OpenAPI keywords for the value. */
  form?: JsonSchema;
  /** SQL expression for the value in JSON that PostgreSQL builds. A function for parts that contain other shapes. */
  sql?: Sql | (() => Sql);
}

type PartType = ScalarKind | ObjectShape | EnumShape;

/** An enum. Facades send its values unchanged, and GraphQL clients receive the enum names. */
interface EnumShape<Value extends string = string> {
  name: string;
  values: readonly string[];
  ref: ReturnType<typeof buildEnumType>;
  /** Used only for types. Never set at run time. */
  value?: Value;
}

export const enumTexts = new Map<string, Readonly<Record<string, string>>>();

interface EnumOptions<Value extends string> {
  /** Model field with these values, as `model.field`. */
  field?: string;
  /** GraphQL names that are not the value in upper case. */
  names?: Partial<Record<Value, string>>;
}

/** @param values descriptions by value */
export function defineEnumShape<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
  { field, names = {} }: EnumOptions<NoInfer<Value>> = {},
): EnumShape<Value> {
  if (field) enumTexts.set(field, values);
  return { name, values: Object.keys(values), ref: buildEnumType(name, description, values, names) };
}

const buildEnumType = (
  name: string,
  description: string,
  values: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string | undefined>>,
) =>
  builder.enumType(name, {
    description,
    values: mapParts(
      values,
      (value, about) => ({ value, description: about }),
      (value) => names[value] ?? toEnumName(value),
    ),
  });

const toEnumName = (value: string): string => value.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();

export type ShapeParts = Readonly<Record<string, ShapePart>>;

/**
 * An object that facades send. This declaration determines its GraphQL type, its OpenAPI component and the JSON that
 * PostgreSQL builds.
 */
export interface ObjectShape {
  name: string;
  description: string;
  /** Returns the parts in the order they appear in the JSON. */
  parts(): ShapeParts;
  /** True if OpenAPI inlines the schema instead of defining a component. */
  inline: boolean;
}

export const shapes = new Map<string, ObjectShape>();

interface ShapeOptions {
  inline?: boolean;
}

/** Declares an object for facades. GraphQL uses a different type. */
export function defineFacadeShape(
  name: string,
  description: string,
  parts: ShapeParts | (() => ShapeParts),
  extra: ShapeOptions = {},
): ObjectShape {
  const shape: ObjectShape = {
    name,
    description,
    parts: typeof parts === 'function' ? memoize(parts) : () => parts,
    inline: extra.inline ?? false,
  };
  shapes.set(name, shape);
  return shape;
}

function memoize<T>(make: () => T): () => T {
  let cachedType: T | undefined;
  return () => {
    cachedType ??= make();
    return cachedType;
  };
}

/** A shape that is also a GraphQL type. Its values are objects with the parts as keys. */
interface TypedShape<Parts extends ShapeParts = ShapeParts> extends ObjectShape {
  parts(): Parts;
  ref: ReturnType<typeof implementType>;
}

interface ScalarValues {
  String: string;
  Int: number;
  Float: number;
  Boolean: boolean;
  DateTime: string;
  Date: string;
  JSON: unknown;
}

type TypeValue<T, Id> = T extends 'ID'
  ? Id
  : T extends keyof ScalarValues
    ? ScalarValues[T]
    : T extends [infer Item]
      ? TypeValue<Item, Id>[]
      : T extends EnumShape<infer Value>
        ? Value
        : T extends TypedShape<infer Parts>
          ? PartValues<Parts, Id>
          : never;

type PartValues<Parts extends ShapeParts, Id> = {
  -readonly [K in keyof Parts]:
    | TypeValue<Parts[K]['type'], Id>
    | (Parts[K]['nullable'] extends true ? null : never);
};

/** The value of a shape. `Id` is the type of its ids in this process. */
export type ValueOf<Shape extends TypedShape, Id = string> = PartValues<ReturnType<Shape['parts']>, Id>;

export function defineTypedShape<const Parts extends ShapeParts>(
  name: string,
  description: string,
  parts: Parts,
  extra: ShapeOptions = {},
): TypedShape<Parts> {
  const shape = defineFacadeShape(name, description, parts, extra);
  return Object.assign(shape, { parts: () => parts, ref: implementType(name, description, parts) });
}

const implementType = (name: string, description: string, parts: ShapeParts) =>
  builder.objectRef<Record<string, unknown>>(name).implement({
    description,
    // Pothos infers types from literal field definitions. Here they come from the declaration.
    fields: (t) => mapParts(parts, (key, part) => t.field(buildShapeField(key, part) as never)) as never,
  });

const buildShapeField = (key: string, { type, nullable = false, description }: ShapePart) => ({
  type: getTypeRef(type),
  nullable,
  description,
  resolve: (value: Record<string, unknown>) => value[key],
});

export function getTypeRef(type: ShapePart['type']): unknown {
  if (Array.isArray(type)) return [getTypeRef(type[0])];
  if (typeof type === 'string') return type;
  if (!('ref' in type)) throw new Error(`the shape ${type.name} is not a GraphQL type`);
  return type.ref;
}

/** Builds a row's select list: `expression as "key"` for each part. Cached, because every list request uses it. */
export const buildShapeColumnsSql = memoizePerObject((shape: ObjectShape) =>
  sql.join(listShapeEntries(shape).map(([key, value]) => sql`${value} as ${sql.id(key)}`)),
);

/** Builds the arguments of json_build_object: `'key', expression` for each part. */
export const buildShapePairsSql = (shape: ObjectShape): Sql =>
  sql.join(listShapeEntries(shape).map(([key, value]) => sql`${sql.literal(key)}, ${value}`));

const listShapeEntries = (shape: ObjectShape): [string, Sql][] =>
  Object.entries(shape.parts()).map(([key, part]) => {
    if (!part.sql) throw new Error(`the part ${key} of the shape ${shape.name} must define its SQL`);
    return [key, typeof part.sql === 'function' ? part.sql() : part.sql];
  });

export const buildShapeSchema = (shape: ObjectShape): JsonSchema => ({
  type: 'object',
  properties: mapParts(shape.parts(), (_key, part) => buildPartSchema(part)),
  required: Object.entries(shape.parts()).flatMap(([key, { optional }]) => (optional ? [] : [key])),
  description: shape.description,
});

function buildPartSchema({ type, nullable, description, form }: ShapePart): JsonSchema {
  const inner = Array.isArray(type)
    ? { type: 'array', items: buildTypeSchema(type[0]) }
    : buildTypeSchema(type);
  const { type: kind, enum: values, ...rest } = { ...inner, ...form } as { type?: string; enum?: unknown[] };
  return {
    ...(kind && { type: nullable ? [kind, 'null'] : kind }),
    ...(values && { enum: nullable ? [...values, null] : values }),
    ...rest,
    description,
  };
}

const SCALAR_SCHEMAS: Record<ScalarKind, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  JSON: { type: 'object' },
};

function buildTypeSchema(type: PartType): JsonSchema {
  if (typeof type === 'string') return SCALAR_SCHEMAS[type];
  if ('values' in type) return { type: 'string', enum: type.values };
  if (type.inline) {
    const { description: _, ...form } = buildShapeSchema(type);
    return form;
  }
  return { $ref: buildSchemaRef(type.name) };
}

export const buildSchemaRef = (name: string): string => `#/components/schemas/${name}`;

export const listPartShapes = (shape: ObjectShape): ObjectShape[] =>
  Object.values(shape.parts()).flatMap(({ type }) => {
    const inner = Array.isArray(type) ? type[0] : type;
    return typeof inner === 'string' || 'values' in inner ? [] : [inner];
  });

const mapParts = <P, T>(
  parts: Readonly<Record<string, P>>,
  item: (key: string, part: P) => T,
  getName: (key: string) => string = (key) => key,
): Record<string, T> =>
  Object.fromEntries(Object.entries(parts).map(([key, part]) => [getName(key), item(key, part)]));
