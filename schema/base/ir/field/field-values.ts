import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { scopeSql } from '../../../../src/engine/sql/columns.ts';
import { quote } from '../../../../src/engine/sql/statement.ts';
import type { OwnField } from './field-own.ts';

// Values of fields that a workspace has added lie under the field's name in the JSON of their records.

type Named = Pick<OwnField, 'model' | 'name'>;

/** Whether a record has the option. */
export async function hasOption(
  ctx: Ctx,
  { model: name, name: field }: Named,
  value: string,
): Promise<boolean> {
  const model = ctx.catalog.registry.get(name);
  if (!model?.extensible) return false;
  const rows = await ctx.db.rows(
    `select 1 from ${quote(model.table)} t where ${scopeSql(model, 't')} and t.custom->>$2 = $3 limit 1`,
    [ctx.workspace.id, field, value],
  );
  return rows.length > 0;
}

/** Changes the JSON `t.custom` of the records that have a value of the field; `$2` is the field's name. */
async function change(
  ctx: Ctx,
  { model: name, name: field }: Named,
  custom: string,
  where: string,
  params: unknown[],
) {
  const model = ctx.catalog.registry.get(name);
  // A model that this very transaction adds has no records.
  if (!model?.extensible) return;
  await ctx.db.rows(
    `update ${quote(model.table)} t set custom = ${custom} where ${scopeSql(model, 't')} and t.custom ? $2 ${where}`,
    [ctx.workspace.id, field, ...params],
  );
}

/** The values of fields that go. */
export async function dropValues(ctx: Ctx, fields: Named[]): Promise<void> {
  for (const field of fields) await change(ctx, field, 't.custom - $2', '', []);
}

/** The values of a field go to a new name. */
export const moveValues = (ctx: Ctx, field: Named, name: string): Promise<void> =>
  change(ctx, field, '(t.custom - $2) || jsonb_build_object($3::text, t.custom->$2)', '', [name]);

/** Records that have the option `from` get another one; null: none. */
export const changeOption = (ctx: Ctx, field: Named, from: string, to: string | null): Promise<void> =>
  change(ctx, field, 't.custom || jsonb_build_object($2, $4::text)', 'and t.custom->>$2 = $3', [from, to]);
