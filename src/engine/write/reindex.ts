import { newStatement } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { columnSql, scopeSql } from '../sql/columns.ts';
import { heldSql } from '../sql/lookup.ts';
import { quote } from '../sql/statement.ts';
import type { Row } from './row.ts';

// A custom field that is to be found fast has its values in ir_field_index, beside the record: an index of Postgres on
// it would be a change of a table that all workspaces share.

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
