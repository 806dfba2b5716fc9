import { type Sql, sql } from '../../db/sql.ts';
import { defaultsToZero, type Field } from '../model/field.ts';
import type { StatementScope } from './statement.ts';

/** Characters of a value that the index holds; Postgres keeps no longer key. */
const MAX_INDEXED_CHARS = 200;

/** What the index holds of a value; null for one that is never looked up. */
export const buildIndexedValueSql = (field: Field, column: Sql): Sql =>
  defaultsToZero(field)
    ? sql`nullif(${column}, 0)::text`
    : sql`left((${column})::text, ${sql.literal(MAX_INDEXED_CHARS)})`;

/** Types whose text in the index is the text of a value that is asked for. */
const INDEXED_TYPES = new Set(['char', 'text', 'selection', 'reference', 'integer', 'many2one']);

/** Whether the index finds the rows with one of `values`; what is not set is not in it. */
export const canUseIndex = (field: Field, values: unknown[]): boolean =>
  field.custom?.indexed === true &&
  INDEXED_TYPES.has(field.type) &&
  values.every((value) => value !== null && value !== 0 && value !== '');

/** Rows whose value may be one of `values`: to be asked together with the condition itself. */
export function buildIndexLookupSql(
  { workspace }: StatementScope,
  row: Sql,
  field: Field,
  values: unknown[],
): Sql {
  const held = values.map((value) => String(value).slice(0, MAX_INDEXED_CHARS));
  return sql`${row}.id in (select record_id from ir_field_index where workspace_id = ${workspace}
    and field_id = ${sql.literal(field.custom!.id)} and value = any(${held}::text[]))`;
}
