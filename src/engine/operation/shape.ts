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
interface EnumShape {
  name: string;
  values: readonly string[];
  ref: ReturnType<typeof buildEnumType>;
}

export const enumTexts = new Map<string, Readonly<Record<string, string>>>();

/**
 * @param values descriptions by value; GraphQL uses the values in upper case
 * @param field model field with these values, as `model.field`
 */
export function defineEnumShape(
  name: string,
  description: string,
  values: Readonly<Record<string, string>>,
  field?: string,
): EnumShape {
  if (field) enumTexts.set(field, values);
  return { name, values: Object.keys(values), ref: buildEnumType(name, description, values) };
}

const buildEnumType = (name: string, description: string, values: Readonly<Record<string, string>>) =>
  builder.enumType(name, {
    description,
    values: mapParts(values, (value, about) => ({ value, description: about }), toEnumName),
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
interface TypedShape extends ObjectShape {
  ref: ReturnType<typeof implementType>;
}

export function defineTypedShape(
  name: string,
  description: string,
  parts: ShapeParts,
  extra: ShapeOptions = {},
): TypedShape {
  const shape = defineFacadeShape(name, description, parts, extra);
  return Object.assign(shape, { ref: implementType(name, description, parts) });
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
