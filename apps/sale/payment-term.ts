import { defineModel } from '../../src/engine/model.ts';

defineModel('account.payment.term', {
  order: 'sequence, id',
  access: { 'base.group_user': 'r', 'sales_team.group_sale_manager': 'crwu' },
  rules: [
    {
      name: 'of the own companies, or of none',
      domain: "['|', ('company_id', '=', False), ('company_id', 'in', company_ids)]",
    },
  ],
});
