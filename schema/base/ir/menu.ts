import { defineModel } from '../../../src/engine/model/registry.ts';

// What classic clients look up of a user interface. The product has none of its own here: there are no reports, and the
// menus are those that a workspace makes.

defineModel('ir.ui.menu', {
  group: 'data',
  order: 'sequence, id',
  access: { 'base.group_user': 'r', 'base.group_system': 'crwu' },
  tree: { parent: 'parent_id', loop: 'A menu cannot be below itself, directly or through others.' },
});

defineModel('ir.actions.report', { group: 'data', access: { 'base.group_user': 'r' }, ceiling: 'r' });
