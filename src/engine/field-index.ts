import { columnSql, scopeSql } from './columns.ts';
import type { Ctx } from './ctx.ts';
import type { Field } from './field.ts';
import type { Model } from './model.ts';
import type { Row } from './mutation.ts';
import { newStatement } from './reader.ts';
import { param, quote, type Statement } from './statement.ts';

// A custom field that is to be found fast has its values in ir_field_index, beside the record: an index of Postgres on
// it would be a change of a table that all workspaces share.

/** Characters of a value that the index holds; Postgres keeps no longer key. */
const HELD = 200;

/** Brings the look-ups of the records `ids` up to date, where one of the rows written has an indexed field. */
export async function reindex(ctx: Ctx, model: Model, ids: number[], rows: Row[]): Promise<void> {
  if (!rows.some((row) => row.indexed)) return;
  for (const field of model.fields.values())
    if (field.custom?.indexed) await indexField(ctx, model, field, ids);
}

/** Writes the look-ups of one field anew, for the records `ids` or for all. */
export async function indexField(ctx: Ctx, model: Model, field: Field, ids: number[] | null): Promise<void> {
  const params = [ctx.workspace.id, field.custom!.id, ids];
  await ctx.db.rows(
    `delete from ir_field_index where workspace_id = $1 and field_id = $2 and ($3::int[] is null or record_id = any($3))`,
    params,
  );
  const value = heldSql(columnSql(newStatement(ctx), model, field, 't'));
  await ctx.db.rows(
    `insert into ir_field_index (workspace_id, field_id, value, record_id)
     select $1, $2, ${value}, t.id from ${quote(model.table)} t
     where ${scopeSql(model, 't')} and ($3::int[] is null or t.id = any($3)) and ${value} is not null`,
    params,
  );
}

const heldSql = (column: string): string => `left((${column})::text, ${HELD})`;

/** Types whose text in the index is the text of a value that is asked for. */
const LOOKED_UP = new Set(['char', 'text', 'selection', 'reference', 'integer', 'many2one']);

/** Whether the index finds the rows with one of `values`; what is not set is not in it. */
export const isLookedUp = (field: Field, values: unknown[]): boolean =>
  field.custom?.indexed === true &&
  LOOKED_UP.has(field.type) &&
  values.every((value) => value !== null && value !== 0 && value !== '');

/** Rows whose value may be one of `values`: to be asked together with the condition itself. */
export function indexedSql(statement: Statement, field: Field, values: unknown[], row: string): string {
  const held = param(
    statement,
    values.map((value) => String(value).slice(0, HELD)),
  );
  return `${row}.id in (select record_id from ir_field_index where workspace_id = $1 and field_id = ${field.custom!.id} and value = any(${held}::text[]))`;
}
