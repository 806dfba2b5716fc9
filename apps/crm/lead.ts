import { extendModel } from '../../src/engine/model/registry.ts';
import { companyRule, defineModel, isSet } from '../kit/surface.ts';
import { buildGapsKeySql, prepareLeadChange } from './lead-change.ts';
import { leadComputed } from './lead-computed.ts';
import { CUSTOMER_FIELDS } from './lead-contact.ts';
import { prepareNewLeads } from './lead-new.ts';

defineModel('crm.lead', {
  group: 'data',
  order: 'priority desc, id desc',
  searchNames: ['name', 'partner_name', 'contact_name', 'email_from'],
  access: { 'sales_team.group_sale_salesman': 'crw', 'sales_team.group_sale_manager': 'crwu' },
  rules: [
    companyRule(),
    {
      name: 'own and unassigned leads',
      group: 'sales_team.group_sale_salesman',
      domain: "['|', ('user_id', '=', user.id), ('user_id', '=', False)]",
    },
    { name: 'all leads', group: 'sales_team.group_sale_salesman_all_leads', domain: "[(1, '=', 1)]" },
  ],
  mixins: ['mail.thread', 'mail.activity'],
  related: {
    stage_id_color: { path: 'stage_id.color', label: 'Stage Color' },
    lang_code: { path: 'lang_id.code', label: 'Locale Code' },
  },
  // The stages shared by all teams, and the current team's stages.
  expands: { stage_id: ({ context }) => filterByOwner('team_ids', context.defaults.team_id) },
  shownFor: { lost_reason_id: { won_status: ['lost'] } },
  computed: leadComputed,
  preview: { follows: { partner_id: CUSTOMER_FIELDS, user_id: ['team_id'], stage_id: ['probability'] } },
  defaults: { user_id: (ctx) => ctx.principal?.userId ?? false },
  // Other hooks are not needed, because the statement that writes a lead also updates its dependent values.
  prepare: (ctx, list, ids) =>
    ids === null ? prepareNewLeads(ctx, list) : prepareLeadChange(ctx, list[0]!, ids),
  preparesBy: (_ctx, values) => (isSet(values.partner_id) ? buildGapsKeySql() : null),
});

extendModel('res.partner', {
  lists: {
    opportunity_ids: {
      label: 'Opportunities',
      relation: 'crm.lead',
      inverse: 'partner_id',
      fixed: { type: 'opportunity' },
      readonly: true,
    },
  },
});

const filterByOwner = (list: string, owner: unknown): unknown[] =>
  isSet(owner) ? ['|', [list, '=', false], [list, 'in', [owner]]] : [[list, '=', false]];
