import { defineModel } from '../../src/engine/model/registry.ts';

defineModel('calendar.event.type', {
  group: 'data',
  order: 'name',
  access: { 'base.group_user': 'cr', 'base.group_system': 'crwu' },
});
