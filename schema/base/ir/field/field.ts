import { sql } from '../../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../../src/engine/model/model.ts';
import { defineModel } from '../../../../src/engine/model/registry.ts';
import { indexField } from '../../../../src/engine/write/custom-field-storage.ts';
import { errors } from '../../../../src/errors.ts';
import { buildFieldGroupsSql, checkFieldGroups, storeFieldGroups } from './field-groups.ts';
import { checkFieldName, hasField, prepareNewFields } from './field-new.ts';
import { renumberOptions, replaceOptions } from './field-options.ts';
import { type CustomFieldRow, loadCustomFields, rejectUsedFields } from './field-own.ts';
import { checkRelations } from './field-relation.ts';
import { checkFieldSettings, parseSelection } from './field-type.ts';
import { dropValues, renameFieldValues } from './field-values.ts';
import { recheckRuleFaults } from './rule-faults.ts';

/** Built-in and custom fields. Names of custom fields start with `x_`. */
defineModel('ir.model.fields', {
  group: 'data',
  graph: { type: 'IrModelFields', one: 'irModelField', many: 'irModelFields', names: { ttype: 'type' } },
  sharedTable: 'ir_field_stock',
  display: 'field_description',
  searchNames: ['field_description', 'name'],
  order: 'name, id',
  access: { 'base.group_erp_manager': 'r', 'base.group_system': 'crwu' },
  audited: true,
  // Deletes options that are no longer listed.
  deletesOnWrite: (values) => 'selection' in values,
  computed: {
    groups: {
      type: 'many2many',
      label: 'Groups',
      help: 'Groups that may see the field. Without groups, everyone who can read the record may see it.',
      relation: 'res.groups',
      sql: buildFieldGroupsSql,
    },
  },
  beforeCreate: prepareNewFields,
  afterCreate: async (ctx, ids, list) => {
    for (const [index, id] of ids.entries()) await storeFieldGroups(ctx, [id], list[index]!);
    await checkRelations(ctx, ids);
    await renumberOptions(ctx, ids);
    await recheckRuleFaults(ctx);
    announceCatalogChange(ctx);
  },
  beforeWrite: prepareFieldChange,
  afterWrite: async (ctx, ids, values) => {
    await storeFieldGroups(ctx, ids, values);
    await checkRelations(ctx, ids);
    if ('selection_ids' in values) await renumberOptions(ctx, ids);
    if ('index' in values) await updateFieldIndexes(ctx, ids);
    announceCatalogChange(ctx);
  },
  beforeUnlink: async (ctx, ids) => {
    const fields = await loadCustomFields(ctx, ids, 'delete');
    rejectUsedFields(ctx, fields);
    await dropValues(ctx, fields);
    announceCatalogChange(ctx);
  },
});

/** Existing values depend on these attributes. Setting the same value again is allowed. */
const FIXED_ATTRIBUTES = ['model', 'model_id', 'ttype', 'relation', 'relation_field', 'related'] as const;

async function prepareFieldChange(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
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

async function updateFieldIndexes(ctx: Ctx, ids: number[]): Promise<void> {
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
