import { sql } from '../../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { formatSelection } from '../../../../src/engine/domain/selection-text.ts';
import { defineModel } from '../../../../src/engine/model/registry.ts';
import { create, unlink, write } from '../../../../src/engine/write/write.ts';
import { errors } from '../../../../src/errors.ts';
import type { CustomFieldRow } from './field-own.ts';
import { hasOption, replaceOptionValue } from './field-values.ts';

defineModel('ir.model.fields.selection', {
  group: 'data',
  searchNames: ['name', 'value'],
  order: 'sequence, id',
  access: { 'base.group_erp_manager': 'r', 'base.group_system': 'crwu' },
  audited: true,
  afterCreate: async (ctx, ids) => renumberOptions(ctx, await loadOptionFields(ctx, ids)),
  beforeWrite: async (ctx, values, ids) => {
    if (values.field_id !== undefined)
      throw errors.user("The field 'field_id' cannot be changed. Add another option instead.");
    if (typeof values.value !== 'string') return;
    for (const option of await loadOptions(ctx, ids))
      await replaceOptionValue(ctx, option, option.value, values.value);
  },
  afterWrite: async (ctx, ids) => renumberOptions(ctx, await loadOptionFields(ctx, ids)),
  beforeUnlink: async (ctx, ids) => {
    for (const option of await loadOptions(ctx, ids)) {
      if (option.required && (await hasOption(ctx, option, option.value)))
        throw errors.user(
          `The option ${option.value} of the required field ${option.name} is in use. Set another option ` +
            'on its records first.',
        );
      await replaceOptionValue(ctx, option, option.value, null);
    }
    await renumberOptions(ctx, await loadOptionFields(ctx, ids), ids);
  },
});

interface OptionRow {
  model: string;
  name: string;
  required: boolean;
  value: string;
}

const loadOptions = (ctx: Ctx, ids: number[]): Promise<OptionRow[]> =>
  ctx.db.rows<OptionRow>(
    sql`select f.model, f.name, f.required, s.value from ir_model_fields_selection s
     join ir_model_fields f on f.workspace_id = ${ctx.workspace.id} and f.id = s.field_id
     where s.workspace_id = ${ctx.workspace.id} and s.id = any(${ids})`,
  );

async function loadOptionFields(ctx: Ctx, ids: number[]): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select distinct field_id as id from ir_model_fields_selection
     where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
  return rows.map((row) => row.id);
}

/**
 * Renumbers the fields' options from 0 and updates the fields' `selection` text.
 * @param removedIds options about to be deleted
 */
export async function renumberOptions(
  ctx: Ctx,
  fieldIds: number[],
  removedIds: number[] = [],
): Promise<void> {
  const rows = await ctx.db.rows<{ id: number; options: [string, string][] }>(
    sql`with placed as (
       select id, field_id, value, name, row_number() over (partition by field_id order by sequence, id) - 1 as place
       from ir_model_fields_selection
       where workspace_id = ${ctx.workspace.id} and field_id = any(${fieldIds}) and not id = any(${removedIds})
     ), numbered as (
       update ir_model_fields_selection s set sequence = placed.place from placed
       where s.workspace_id = ${ctx.workspace.id} and s.id = placed.id and s.sequence <> placed.place
     ) select f.id, coalesce((select json_agg(json_build_array(value, name) order by place) from placed
       where field_id = f.id), '[]') as options
     from ir_model_fields f
     where f.workspace_id = ${ctx.workspace.id} and f.id = any(${fieldIds}) and f.ttype in ('selection', 'reference')`,
  );
  for (const { id, options } of rows)
    await ctx.db.rows(
      sql`update ir_model_fields set selection = ${options.length ? formatSelection(options) : null}
       where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
  announceCatalogChange(ctx);
}

/** Replaces the field's options. Records keep values that are still options. */
export async function replaceOptions(
  ctx: Ctx,
  field: CustomFieldRow,
  options: [string, string][],
): Promise<void> {
  const existingOptions = await ctx.db.rows<{ id: number; value: string }>(
    sql`select id, value from ir_model_fields_selection
     where workspace_id = ${ctx.workspace.id} and field_id = ${field.id}`,
  );
  const values = new Set(options.map(([value]) => value));
  const removedOptions = existingOptions.filter((option) => !values.has(option.value));
  const ids = removedOptions.map((option) => option.id);
  await unlink(ctx, 'ir.model.fields.selection', ids);
  for (const [value, name] of options) {
    const existingOption = existingOptions.find((option) => option.value === value);
    if (existingOption) await write(ctx, 'ir.model.fields.selection', [existingOption.id], { name });
    else await create(ctx, 'ir.model.fields.selection', [{ field_id: field.id, value, name }]);
  }
  await ctx.db.rows(
    sql`update ir_model_fields_selection s set sequence = w.place - 1
     from unnest(${options.map(([value]) => value)}::text[]) with ordinality w(value, place)
     where s.workspace_id = ${ctx.workspace.id} and s.field_id = ${field.id} and s.value = w.value`,
  );
  await renumberOptions(ctx, [field.id]);
}
