import { catalogChanged } from '../../../src/engine/catalog.ts';
import { defineModel } from '../../../src/engine/model.ts';
import { prepareChange, settleIndex } from './field-change.ts';
import { prepareNew } from './field-new.ts';
import { settleOptions } from './field-options.ts';
import { ownFields, refuseUsed } from './field-own.ts';
import { checkRelations } from './field-relation.ts';
import { dropValues } from './field-values.ts';

/** Fields: those of code, and those a workspace adds, whose names begin with `x_`. */
defineModel('ir.model.fields', {
  stock: 'ir_field_stock',
  display: 'field_description',
  searchNames: ['field_description', 'name'],
  order: 'name, id',
  access: { 'base.group_erp_manager': 'r', 'base.group_system': 'crwu' },
  audited: true,
  beforeCreate: prepareNew,
  afterCreate: async (ctx, ids) => {
    await checkRelations(ctx, ids);
    await settleOptions(ctx, ids);
    catalogChanged(ctx);
  },
  beforeWrite: prepareChange,
  afterWrite: async (ctx, ids, values) => {
    await checkRelations(ctx, ids);
    if ('selection_ids' in values) await settleOptions(ctx, ids);
    if ('index' in values) await settleIndex(ctx, ids);
    catalogChanged(ctx);
  },
  beforeUnlink: async (ctx, ids) => {
    const fields = await ownFields(ctx, ids, 'delete');
    refuseUsed(ctx, fields);
    await dropValues(ctx, fields);
    catalogChanged(ctx);
  },
});
