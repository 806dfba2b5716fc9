import { defineModel } from '../../src/engine/model.ts';

defineModel('res.company', {
  order: 'sequence, name',
  access: { 'base.group_user': 'r', 'base.group_erp_manager': 'crwu' },
  rules: [
    {
      name: 'own companies',
      group: 'base.group_user',
      operations: ['read'],
      domain: (user) => [['id', 'in', user.companyIds]],
    },
    { name: 'every company', group: 'base.group_erp_manager', domain: () => [] },
  ],
  graph: { type: 'Company', one: 'company', many: 'companies' },
  audited: true,
});
