import { sql } from '../../../../src/db/sql.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../../src/engine/model/model.ts';
import { indexField } from '../../../../src/engine/write/custom-field-storage.ts';
import { errors } from '../../../../src/errors.ts';
import { checkFieldGroups } from './field-groups.ts';
import { checkFieldName, hasField } from './field-new.ts';
import { replaceOptions } from './field-options.ts';
import { type CustomFieldRow, loadCustomFields, rejectUsedFields } from './field-own.ts';
import { checkFieldSettings, parseSelection } from './field-type.ts';
import { renameFieldValues } from './field-values.ts';

/** Existing values depend on these attributes. Setting the same value again is allowed. */
const FIXED_ATTRIBUTES = ['model', 'model_id', 'ttype', 'relation', 'relation_field', 'related'] as const;

export async function prepareFieldChange(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const fields = await loadCustomFields(ctx, ids, 'change');
  if (values.state === 'manual') delete values.state;
  await checkFieldGroups(ctx, values);
  for (const name of FIXED_ATTRIBUTES) {
    if (!(name in values)) continue;
    if (fields.some((field) => (field[name] || null) !== (values[name] || null)))
      throw errors.user(`The field '${name}' cannot be changed. Add another field instead.`);
    delete values[name];
  }
  checkFieldSettings(values);
  if (typeof values.name !== 'undefined') await renameField(ctx, fields, values.name);
  if ('selection' in values) {
    const options = parseSelection(values.selection);
    delete values.selection;
    for (const field of fields) await replaceOptions(ctx, field, options);
  }
}

async function renameField(ctx: Ctx, fields: CustomFieldRow[], name: unknown): Promise<void> {
  checkFieldName(name);
  for (const field of fields) {
    if (field.name === name) continue;
    if (fields.length > 1 || (await hasField(ctx, field.model, name)))
      throw errors.validation('Field names must be unique per model.');
    rejectUsedFields(ctx, fields);
    await renameFieldValues(ctx, field, name);
  }
}

export async function updateFieldIndexes(ctx: Ctx, ids: number[]): Promise<void> {
  for (const field of await loadCustomFields(ctx, ids, 'change')) {
    const model = ctx.catalog.registry.get(field.model);
    const existingField = [...(model?.fields.values() ?? [])].find((item) => item.custom?.id === field.id);
    if (field.index && model && existingField && existingField.type !== 'binary')
      await indexField(ctx, model, { ...existingField, name: field.name }, null);
    if (!field.index)
      await ctx.db.rows(
        sql`delete from ir_field_index where workspace_id = ${ctx.workspace.id} and field_id = ${field.id}`,
      );
  }
}
