import { type Sql, sql } from '../../db/sql.ts';
import { createStatement } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { buildColumnSql, buildScopeSql } from '../sql/columns.ts';
import { buildIndexedValueSql } from '../sql/lookup.ts';
import { getMainSource } from '../sql/statement.ts';
import type { WritableRow } from './row.ts';

// Data of custom fields that is stored outside the record. Values of indexed fields are in ir_field_index, because a
// PostgreSQL index would change a table that all workspaces share. Files are in ir_field_file, because reading any
// value of a record's JSON loads all of it.

export async function reindex(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  for (const field of model.fields.values())
    if (field.custom?.indexed) await indexField(ctx, model, field, ids);
}

/** Rebuilds a field's index entries for the records `ids`, or for all records if null. */
export async function indexField(ctx: Ctx, model: Model, field: Field, ids: number[] | null): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const fieldId = field.custom!.id;
  const buildIdConditionSql = (id: Sql) => (ids ? sql` and ${id} = any(${ids})` : sql.empty);
  await ctx.db.rows(
    sql`delete from ir_field_index where workspace_id = ${workspace} 
      and field_id = ${fieldId}${buildIdConditionSql(sql`record_id`)}`,
  );
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  const value = buildIndexedValueSql(field, buildColumnSql(statement, source, field));
  await ctx.db.rows(
    sql`insert into ir_field_index (workspace_id, field_id, value, record_id)
     select t.workspace_id, ${fieldId}::int, ${value}, t.id from ${sql.id(model.table)} t
     where ${buildScopeSql(statement, source)}${buildIdConditionSql(sql`t.id`)} and ${value} is not null`,
  );
}

export async function storeFiles(ctx: Ctx, ids: number[], { files }: WritableRow): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  for (const [field, content] of files)
    await ctx.db.rows(
      content === null
        ? sql`delete from ir_field_file where workspace_id = ${workspace} and field_id = ${field.custom!.id}
           and record_id = any(${ids})`
        : sql`insert into ir_field_file (workspace_id, field_id, record_id, content)
           select ${workspace}::int, ${field.custom!.id}::int, x.id, ${content}::bytea
           from unnest(${ids}::int8[]) x(id)
           on conflict (workspace_id, field_id, record_id) do update set content = excluded.content`,
    );
}
