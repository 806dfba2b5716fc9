import { companyRule, defineModel } from '../kit/surface.ts';

defineModel('account.payment.term', {
  group: 'data',
  order: 'sequence, id',
  access: { 'base.group_user': 'r', 'sales_team.group_sale_manager': 'crwu' },
  rules: [companyRule()],
});
