import { defineModel } from '../../../src/engine/model/registry.ts';

defineModel('mail.activity.type', {
  group: 'data',
  order: 'sequence, id',
  access: { 'base.group_user': 'r', 'base.group_system': 'crwu' },
});
