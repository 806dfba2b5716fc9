import { defineModel } from '../../src/engine/model/registry.ts';

defineModel('crm.tag', {
  group: 'data',
  order: 'name',
  access: {
    'base.group_user': 'r',
    'sales_team.group_sale_salesman': 'crw',
    'sales_team.group_sale_manager': 'crwu',
  },
});
