import { announceCatalogChange } from '../../../../src/engine/ctx/announce-catalog-change.ts';
import { defineModel } from '../../../../src/engine/model/registry.ts';
import { prepareFieldChange, updateFieldIndexes } from './field-change.ts';
import { buildFieldGroupsSql, storeFieldGroups } from './field-groups.ts';
import { prepareNewFields } from './field-new.ts';
import { renumberOptions } from './field-options.ts';
import { loadCustomFields, rejectUsedFields } from './field-own.ts';
import { checkRelations } from './field-relation.ts';
import { dropValues } from './field-values.ts';
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
