import { catalogChanged } from '../../../src/engine/ctx/catalog-changed.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';

/** Rights: what the members of a group, or everybody, may do with a model. They hold at once, on every process. */
defineModel('ir.model.access', {
  order: 'model_id, group_id, name, id',
  access: { 'base.group_erp_manager': 'crwu', 'base.group_system': 'crwu' },
  audited: true,
  afterCreate: catalogChanged,
  afterWrite: catalogChanged,
  beforeUnlink: catalogChanged,
});
