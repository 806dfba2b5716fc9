import { type Sql, sql } from '../../../src/db/sql.ts';
import { toSnakeCase } from '../../../src/engine/model/datamodel.ts';
import type { InputPart, InputParts } from '../../../src/engine/operation/input.ts';
import { errors } from '../../../src/errors.ts';

export type ColumnType = 'text' | 'text[]' | 'jsonb' | 'timestamptz' | 'int' | 'bool';

export const COLUMN_TYPE_SQL: Record<ColumnType, Sql> = {
  text: sql`text`,
  'text[]': sql`text[]`,
  jsonb: sql`jsonb`,
  timestamptz: sql`timestamptz`,
  int: sql`int`,
  bool: sql`bool`,
};

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

/** An input's values by column. Requires that all columns have their default names. */
export type ColumnValues<P extends InputParts> = {
  [K in keyof P & string as [StoredValue<P[K]>] extends [never] ? never : SnakeCase<K>]: StoredValue<P[K]>;
};

interface InputColumn {
  field: string;
  name: string;
  type: ColumnType;
  parse(value: unknown, field: string): unknown;
}

export const listColumns = (parts: InputParts): InputColumn[] =>
  Object.entries(parts).flatMap(([field, { type, parse, column = toSnakeCase(field) }]) =>
    parse ? { field, name: column, type: COLUMN_TYPES[`${type}`] ?? 'jsonb', parse } : [],
  );

/**
 * Validates an input and returns its values by column, as `ColumnValues`. @throws BAD_REQUEST for the first invalid
 * field
 */
export function parseColumns<T>(columns: readonly InputColumn[], input: object): T {
  const values: Record<string, unknown> = {};
  for (const { field, name, parse } of columns) {
    const value = parse((input as Record<string, unknown>)[field], field);
    values[name] = typeof value === 'string' ? assertWellFormed(value, field) : value;
  }
  return values as T;
}

export function assertWellFormed(text: string, field: string): string {
  if (text.isWellFormed()) return text;
  throw errors.badField(field, 'contains a lone surrogate (half of a character).');
}
