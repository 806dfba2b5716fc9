import { defineModel } from '../../src/engine/model.ts';
import { companyRule } from '../company-rule.ts';
import { pipelineChanged } from './pipeline.ts';

defineModel('crm.team', {
  order: 'sequence, create_date desc, id desc',
  access: { 'base.group_user': 'r', 'sales_team.group_sale_manager': 'crwu' },
  rules: [companyRule()],
  mixins: ['mail.thread'],
  afterCreate: pipelineChanged,
  afterWrite: pipelineChanged,
  beforeUnlink: pipelineChanged,
});
