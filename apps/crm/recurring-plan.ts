import { defineModel, errors } from '../kit/surface.ts';

defineModel('crm.recurring.plan', {
  group: 'data',
  order: 'sequence, id',
  access: { 'sales_team.group_sale_salesman': 'r', 'sales_team.group_sale_manager': 'crwu' },
  prepare: (_ctx, list) => {
    for (const { number_of_months: months } of list)
      if (typeof months === 'number' && months < 1)
        throw errors.validation('A recurring plan must cover at least one month (number_of_months).');
  },
});
