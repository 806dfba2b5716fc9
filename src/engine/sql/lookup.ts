import { type Sql, sql } from '../../db/sql.ts';
import { defaultsToZero, type Field } from '../model/field.ts';
import type { StatementScope } from './statement.ts';

/** Maximum characters of an indexed value, because PostgreSQL limits the length of an index key. */
const MAX_INDEXED_CHARS = 200;

/** Builds the text under which a value is indexed. Null if no lookup uses the value. */
export const buildIndexedValueSql = (field: Field, column: Sql): Sql =>
  defaultsToZero(field)
    ? sql`nullif(${column}, 0)::text`
    : sql`left((${column})::text, ${sql.literal(MAX_INDEXED_CHARS)})`;

/** Types whose indexed text equals the text of the searched value. */
const INDEXED_TYPES = new Set(['char', 'text', 'selection', 'reference', 'integer', 'many2one']);

/** Returns true if the index can find rows by these values. Unset values are not indexed. */
export const canUseIndex = (field: Field, values: unknown[]): boolean =>
  field.custom?.indexed === true &&
  INDEXED_TYPES.has(field.type) &&
  values.every((value) => value !== null && value !== 0 && value !== '');

/**
 * Builds the condition for rows that may have one of `values`. Combine it with the exact condition, because the index
 * truncates values.
 */
export function buildIndexLookupSql(
  { workspace }: StatementScope,
  row: Sql,
  field: Field,
  values: unknown[],
): Sql {
  const indexedValues = values.map((value) => String(value).slice(0, MAX_INDEXED_CHARS));
  return sql`${row}.id in (select record_id from ir_field_index where workspace_id = ${workspace}
    and field_id = ${sql.literal(field.custom!.id)} and value = any(${indexedValues}::text[]))`;
}
