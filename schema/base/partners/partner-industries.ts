import { defineModel } from '../../../src/engine/model/registry.ts';

defineModel('res.partner.industry', {
  group: 'data',
  searchNames: ['name', 'full_name'],
  order: 'sequence, name, id',
  access: { 'base.group_user': 'r', 'base.group_partner_manager': 'crwu', 'base.group_system': 'crwu' },
});
