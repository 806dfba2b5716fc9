import { defineModel } from '../../src/engine/model.ts';
import { pipelineChanged } from './pipeline.ts';

defineModel('crm.team', {
  order: 'sequence, create_date desc, id desc',
  access: { 'base.group_user': 'r', 'sales_team.group_sale_manager': 'crwu' },
  rules: [
    {
      name: 'of the own companies, or of none',
      domain: "['|', ('company_id', '=', False), ('company_id', 'in', company_ids)]",
    },
  ],
  mixins: ['mail.thread'],
  afterCreate: pipelineChanged,
  afterWrite: pipelineChanged,
  beforeUnlink: pipelineChanged,
});
