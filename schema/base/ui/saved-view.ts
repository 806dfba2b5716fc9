import { defineModel } from '../../../src/engine/model/registry.ts';
import { ADMIN_GROUP } from '../roles.ts';

defineModel('svc.saved.view', {
  group: 'data',
  display: 'name',
  order: 'name, id',
  access: { 'base.group_user': 'r', [ADMIN_GROUP]: 'r' },
  ceiling: 'r',
  rules: [
    {
      name: 'own and shared views',
      group: 'base.group_user',
      domain: "['|', ('user_id', '=', user.id), ('is_shared', '=', True)]",
    },
  ],
  graph: { type: 'SavedView', one: 'savedView', many: 'savedViews', writes: false },
});
