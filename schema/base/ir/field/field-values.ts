import { type Sql, sql } from '../../../../src/db/sql.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { buildScopeSql } from '../../../../src/engine/sql/columns.ts';
import { getMainSource } from '../../../../src/engine/sql/statement.ts';
import type { CustomFieldRow } from './field-own.ts';

// Values of fields that a workspace has added lie under the field's name in the JSON of their records.

type FieldKey = Pick<CustomFieldRow, 'model' | 'name'>;

/** Whether a record has the option. */
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

/** Changes the JSON `t.custom` of the records that have a value of the field, as far as `where` says. */
async function change(ctx: Ctx, { model: name, name: field }: FieldKey, custom: Sql, where = sql`true`) {
  const model = ctx.catalog.registry.get(name);
  // A model that this very transaction adds has no records.
  if (!model?.extensible) return;
  await ctx.db.rows(
    sql`update ${sql.id(model.table)} t set custom = ${custom}
     where ${buildScopeSql(buildScope(ctx), getMainSource(model))} and t.custom ? ${field} and ${where}`,
  );
}

const buildScope = (ctx: Ctx) => ({ workspace: sql.param(ctx.workspace.id) });

/** The values of fields that go. */
export async function dropValues(ctx: Ctx, fields: FieldKey[]): Promise<void> {
  for (const field of fields) await change(ctx, field, sql`t.custom - ${field.name}::text`);
}

/** The values of a field go to a new name. */
export const moveValues = (ctx: Ctx, field: FieldKey, name: string): Promise<void> =>
  change(
    ctx,
    field,
    sql`jsonb_set(t.custom - ${field.name}::text, array[${name}::text], t.custom->${field.name}::text)`,
  );

/** Records that have the option `from` get another one; null: none. */
export const changeOption = (ctx: Ctx, field: FieldKey, from: string, to: string | null): Promise<void> =>
  change(
    ctx,
    field,
    sql`t.custom || jsonb_build_object(${field.name}::text, ${to}::text)`,
    sql`t.custom->>${field.name} = ${from}`,
  );
