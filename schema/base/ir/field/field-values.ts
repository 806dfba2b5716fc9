import { type Sql, sql } from '../../../../src/db/sql.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { buildScopeSql } from '../../../../src/engine/sql/columns.ts';
import { getMainSource } from '../../../../src/engine/sql/statement.ts';
import type { CustomFieldRow } from './field-own.ts';

// Custom field values are stored in the record's JSON column, under the field's name.

type FieldKey = Pick<CustomFieldRow, 'model' | 'name'>;

export async function hasOption(
  ctx: Ctx,
  { model: name, name: field }: FieldKey,
  value: string,
): Promise<boolean> {
  const model = ctx.catalog.registry.get(name);
  if (!model?.extensible) return false;
  const rows = await ctx.db.rows(
    sql`select 1 from ${sql.id(model.table)} t
     where ${buildScopeSql(buildScope(ctx), getMainSource(model))} and t.custom->>${field} = ${value} limit 1`,
  );
  return rows.length > 0;
}

/** Updates `t.custom` of the records that have a value for the field and match `where`. */
async function updateCustomValues(
  ctx: Ctx,
  { model: name, name: field }: FieldKey,
  custom: Sql,
  where = sql`true`,
) {
  const model = ctx.catalog.registry.get(name);
  // A model added in the same transaction has no records.
  if (!model?.extensible) return;
  await ctx.db.rows(
    sql`update ${sql.id(model.table)} t set custom = ${custom}
     where ${buildScopeSql(buildScope(ctx), getMainSource(model))} and t.custom ? ${field} and ${where}`,
  );
}

const buildScope = (ctx: Ctx) => ({ workspace: sql.param(ctx.workspace.id) });

export async function dropValues(ctx: Ctx, fields: FieldKey[]): Promise<void> {
  for (const field of fields) await updateCustomValues(ctx, field, sql`t.custom - ${field.name}::text`);
}

export const renameFieldValues = (ctx: Ctx, field: FieldKey, name: string): Promise<void> =>
  updateCustomValues(
    ctx,
    field,
    sql`jsonb_set(t.custom - ${field.name}::text, array[${name}::text], t.custom->${field.name}::text)`,
  );

/** Replaces the value `from` in the records with `to`, or clears it if `to` is null. */
export const replaceOptionValue = (
  ctx: Ctx,
  field: FieldKey,
  from: string,
  to: string | null,
): Promise<void> =>
  updateCustomValues(
    ctx,
    field,
    sql`t.custom || jsonb_build_object(${field.name}::text, ${to}::text)`,
    sql`t.custom->>${field.name} = ${from}`,
  );
