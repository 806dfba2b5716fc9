import { defineModel } from '../../../src/engine/model/registry.ts';

defineModel('res.bank', {
  group: 'data',
  searchNames: ['name', 'bic'],
  order: 'name, id',
  access: { 'base.group_user': 'r', 'base.group_partner_manager': 'crwu', 'base.group_system': 'crwu' },
});

defineModel('res.partner.bank', {
  group: 'data',
  display: 'acc_number',
  searchNames: ['acc_number', 'partner_id'],
  order: 'sequence, id',
  access: { 'base.group_user': 'r', 'base.group_partner_manager': 'crwu' },
  rules: [
    {
      name: 'of contacts of the own companies, or of none',
      domain: "['|', ('partner_id.company_id', '=', False), ('partner_id.company_id', 'in', company_ids)]",
    },
  ],
});
