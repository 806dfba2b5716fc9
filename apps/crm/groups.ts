import type { AppGroup } from '../kit/app.ts';

export const crmGroups: AppGroup[] = [
  {
    id: 'sales_team.group_sale_salesman',
    name: 'User: Own Documents Only',
    privilege: 'Sales',
    implies: ['base.group_user'],
  },
  {
    id: 'sales_team.group_sale_salesman_all_leads',
    name: 'User: All Documents',
    privilege: 'Sales',
    implies: ['sales_team.group_sale_salesman'],
  },
  {
    id: 'sales_team.group_sale_manager',
    name: 'Administrator',
    privilege: 'Sales',
    implies: ['sales_team.group_sale_salesman_all_leads', 'base.group_partner_manager'],
  },
];
