import { defineModel, sql } from '../kit/surface.ts';

defineModel('crm.lost.reason', {
  group: 'data',
  order: 'name, id',
  access: { 'sales_team.group_sale_salesman': 'r', 'sales_team.group_sale_manager': 'crwu' },
  computed: {
    leads_count: {
      type: 'integer',
      label: 'Leads Count',
      sql: (row, context) => {
        const lead = context.alias();
        return sql`(select count(*)::int from crm_lead ${lead}
          where ${lead}.workspace_id = ${context.workspace} and ${lead}.lost_reason_id = ${row}.id)`;
      },
    },
  },
});
