import type { GenericInputFieldRef, InputRef } from '@pothos/core';
import { builder } from './builder.ts';
import type { JsonSchema } from './shape.ts';

interface InputValues {
  Boolean: boolean;
  DateTime: string;
  ID: string;
  Int: number;
  String: string;
  StringList: string[];
  /** A list of strings in GraphQL. Other facades also accept a single string. */
  StringOrList: string[];
  /** An object with string values. In GraphQL it is JSON, which accepts any value. */
  StringMap: unknown;
  JSON: unknown;
}

/** An input in an array denotes a list. */
type PartType = keyof InputValues | readonly [InputShape];

type PartValue<T> = T extends keyof InputValues
  ? InputValues[T]
  : T extends readonly [InputShape<infer Item>]
    ? Item[]
    : never;

interface PartOptions<Value, Stored> {
  /** Bounds of a number or of a string's length. For a `StringOrList`, bounds of each string's length. */
  min?: number;
  max?: number;
  /** Additional OpenAPI keywords for the value. */
  form?: JsonSchema;
  /**
   * Validates a value and returns the value to store. A field without `parse` is not stored directly.
   * @throws BAD_REQUEST
   */
  parse?(value: Value, field: string): Stored;
  /** Column that stores the value. Defaults to the field name in snake_case. */
  column?: string;
}

/** A field of an input. `Stored` is `never` for a field without `parse`. */
export interface InputPart<T = PartType, Required = boolean, Stored = unknown>
  extends PartOptions<never, Stored> {
  type: T;
  required: Required;
  description: string;
}

export const requireField = <const T extends PartType, Stored = never>(
  type: T,
  description: string,
  options: PartOptions<PartValue<T>, Stored> = {},
): InputPart<T, true, Stored> => ({ type, required: true, description, ...options });

/** Null is treated like an omitted value. */
export const allowField = <const T extends PartType, Stored = never>(
  type: T,
  description: string,
  options: PartOptions<PartValue<T> | null | undefined, Stored> = {},
): InputPart<T, false, Stored> => ({ type, required: false, description, ...options });

export type InputParts = Readonly<Record<string, InputPart>>;

/**
 * An object that clients send. This declaration determines its GraphQL type, its TypeScript type, and the schemas that
 * facades use to validate and document it.
 */
interface InputShape<Values = unknown, Parts = InputParts> {
  description: string;
  parts: Parts;
  ref: InputRef<Values>;
}

export type InputOf<S extends InputShape> = S extends InputShape<infer Values> ? Values : never;

type PartValues<P extends InputParts> = {
  [K in keyof P as P[K]['required'] extends true ? K : never]: PartValue<P[K]['type']>;
} & {
  [K in keyof P as P[K]['required'] extends true ? never : K]?: PartValue<P[K]['type']> | null;
};

/** Declarations by the name of the input or request body. */
export const inputShapes = new Map<string, Pick<InputShape, 'description' | 'parts'>>();

export function defineInputShape<P extends InputParts>(
  name: string,
  description: string,
  parts: P,
): InputShape<PartValues<P>, P> {
  const ref = builder.inputRef<PartValues<P>, false>(name).implement({
    description,
    // Pothos infers types from literal field definitions. Here they come from the declaration.
    fields: (t) =>
      mapParts(parts, ({ type, required, description }) =>
        t.field({ type: getGraphType(type) as never, required, description }),
      ) as never,
  });
  const shape = { description, parts, ref };
  inputShapes.set(name, shape);
  return shape;
}

/** Declares arguments of an operation that other facades receive as a request body. */
export function defineArguments<P extends InputParts>(body: string, description: string, parts: P): P {
  inputShapes.set(body, { description, parts });
  return parts;
}

type PartArguments<P extends InputParts> = {
  [K in keyof P]: GenericInputFieldRef<
    P[K]['required'] extends true ? PartValue<P[K]['type']> : PartValue<P[K]['type']> | null | undefined
  >;
};

/** @param arg the operation's argument builder */
export const buildArguments = <P extends InputParts>(
  arg: (options: never) => unknown,
  parts: P,
): PartArguments<P> =>
  mapParts(parts, ({ type, required, description }) =>
    arg({ type: getGraphType(type), required, description } as never),
  ) as never;

export const makeOptional = <P extends InputParts>(
  parts: P,
): { [K in keyof P]: Omit<P[K], 'required'> & { required: false } } =>
  mapParts(parts, (part) => ({ ...part, required: false })) as never;

const mapParts = <T>(parts: InputParts, map: (part: InputPart) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, map(part)]));

const GRAPH_TYPES: Record<string, unknown> = {
  StringList: ['String'],
  StringOrList: ['String'],
  StringMap: 'JSON',
};

const getGraphType = (type: PartType): unknown =>
  typeof type === 'string' ? (GRAPH_TYPES[type] ?? type) : [type[0].ref];
