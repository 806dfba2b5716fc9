import { type Sql, sql } from '../../db/sql.ts';
import { type Field, isZeroed } from '../model/field.ts';
import type { Scope } from './statement.ts';

/** Characters of a value that the index holds; Postgres keeps no longer key. */
const HELD = 200;

/** What the index holds of a value; null for one that is never looked up. */
export const heldSql = (field: Field, column: Sql): Sql =>
  isZeroed(field) ? sql`nullif(${column}, 0)::text` : sql`left((${column})::text, ${sql.literal(HELD)})`;

/** Types whose text in the index is the text of a value that is asked for. */
const LOOKED_UP = new Set(['char', 'text', 'selection', 'reference', 'integer', 'many2one']);

/** Whether the index finds the rows with one of `values`; what is not set is not in it. */
export const isLookedUp = (field: Field, values: unknown[]): boolean =>
  field.custom?.indexed === true &&
  LOOKED_UP.has(field.type) &&
  values.every((value) => value !== null && value !== 0 && value !== '');

/** Rows whose value may be one of `values`: to be asked together with the condition itself. */
export function indexedSql({ workspace }: Scope, row: Sql, field: Field, values: unknown[]): Sql {
  const held = values.map((value) => String(value).slice(0, HELD));
  return sql`${row}.id in (select record_id from ir_field_index where workspace_id = ${workspace}
    and field_id = ${sql.literal(field.custom!.id)} and value = any(${held}::text[]))`;
}
