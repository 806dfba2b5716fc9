import { extendModel } from '../../src/engine/model/registry.ts';
import { companyRule, defineModel, isSet, type Sql, sql } from '../kit/surface.ts';
import { updateSlaStatuses } from './sla/update-statuses.ts';
import { buildTeamRules } from './team-rules.ts';
import { prepareTicketChange } from './ticket-change.ts';
import { COPIED_FIELDS } from './ticket-customer.ts';
import { prepareNewTickets } from './ticket-new.ts';

const SLA_FIELDS = ['team_id', 'stage_id', 'priority', 'ticket_type_id', 'tag_ids', 'active'];

/** Builds SQL for the hours between creation and `moment`. Null if `moment` is not set. */
const buildHoursToSql = (row: Sql, moment: string): Sql =>
  sql`(extract(epoch from ${row}.${sql.id(moment)} - ${row}.create_date) / 3600)::float8`;

defineModel('helpdesk.ticket', {
  group: 'data',
  order: 'priority desc, id desc',
  // The current team's stages, or all stages if there is no current team.
  expands: {
    stage_id: ({ context: { defaults } }) =>
      isSet(defaults.team_id) ? [['team_ids', 'in', [defaults.team_id]]] : [],
  },
  searchNames: ['name', 'ticket_ref', 'partner_name', 'partner_email'],
  access: {
    'helpdesk.group_helpdesk_user': 'crw',
    'helpdesk.group_helpdesk_manager': 'crwu',
    'base.group_portal': 'r',
  },
  rules: [
    companyRule(),
    ...buildTeamRules('team_id.', ["('user_id', '=', user.id)"]),
    {
      name: 'own tickets',
      group: 'base.group_portal',
      domain: "[('partner_id', '=', user.partner_id.id), ('team_id.privacy_visibility', '=', 'portal')]",
    },
  ],
  mixins: ['mail.thread', 'mail.activity'],
  sends: true,
  preview: { follows: { partner_id: Object.keys(COPIED_FIELDS) }, ignores: ['ticket_ref'] },
  computed: {
    is_closed: {
      type: 'boolean',
      label: 'Closed',
      sql: (row) => sql`(${row}.close_date is not null)`,
    },
    assign_hours: {
      type: 'float',
      label: 'Hours to Assignment',
      aggregator: 'avg',
      sql: (row) => buildHoursToSql(row, 'assign_date'),
    },
    first_response_hours: {
      type: 'float',
      label: 'Hours to First Response',
      aggregator: 'avg',
      sql: (row) => buildHoursToSql(row, 'first_response_date'),
    },
    close_hours: {
      type: 'float',
      label: 'Hours to Close',
      aggregator: 'avg',
      sql: (row) => buildHoursToSql(row, 'close_date'),
    },
  },
  prepare: (ctx, list, ids) =>
    ids === null ? prepareNewTickets(ctx, list) : prepareTicketChange(ctx, list[0]!, ids),
  afterCreate: (ctx, ids) => updateSlaStatuses(ctx, ids),
  afterWrite: async (ctx, ids, values) => {
    if (SLA_FIELDS.some((name) => name in values)) await updateSlaStatuses(ctx, ids);
  },
});

extendModel('res.partner', {
  lists: {
    ticket_ids: { label: 'Tickets', relation: 'helpdesk.ticket', inverse: 'partner_id', readonly: true },
  },
});
