import { toSnakeCase } from '../../../src/engine/model/datamodel.ts';
import type { InputPart, InputParts } from '../../../src/engine/operation/input.ts';
import { errors } from '../../../src/errors.ts';

/** PostgreSQL types of columns that store input, as JSON values are converted to them. */
export type ColumnType = 'text' | 'text[]' | 'jsonb' | 'timestamptz' | 'int' | 'bool';

const COLUMN_TYPES: Record<string, ColumnType> = {
  Boolean: 'bool',
  DateTime: 'timestamptz',
  Int: 'int',
  String: 'text',
  StringList: 'text[]',
  StringOrList: 'text[]',
};

type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : S;

type StoredValue<P> = P extends InputPart<unknown, boolean, infer Stored> ? Stored : never;

/** Stored values of an input by column, for columns with default names. */
export type ColumnValues<P extends InputParts> = {
  [K in keyof P & string as [StoredValue<P[K]>] extends [never] ? never : SnakeCase<K>]: StoredValue<P[K]>;
};

interface InputColumn {
  field: string;
  name: string;
  type: ColumnType;
  parse(value: unknown, field: string): unknown;
}

/** Columns that store the fields of an input, in the order of the declaration. */
export const listColumns = (parts: InputParts): InputColumn[] =>
  Object.entries(parts).flatMap(([field, { type, parse, column = toSnakeCase(field) }]) =>
    parse ? { field, name: column, type: COLUMN_TYPES[`${type}`] ?? 'jsonb', parse } : [],
  );

/**
 * Validates an input. @returns the values of its columns, of type `ColumnValues`
 * @throws BAD_REQUEST that names the first invalid field
 */
export function parseColumns<T>(columns: readonly InputColumn[], input: object): T {
  const values: Record<string, unknown> = {};
  for (const { field, name, parse } of columns) {
    const value = parse((input as Record<string, unknown>)[field], field);
    values[name] = typeof value === 'string' ? assertWellFormed(value, field) : value;
  }
  return values as T;
}

/** @throws BAD_REQUEST */
export function assertWellFormed(text: string, field: string): string {
  if (text.isWellFormed()) return text;
  throw errors.badField(field, 'contains a lone surrogate (half of a character).');
}
