import { type Sql, sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { SqlContext } from '../../src/engine/model/field.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { defineModel } from '../../src/engine/model/registry.ts';
import { errors } from '../../src/errors.ts';
import { companyRule } from '../kit/company-rule.ts';
import { linkId } from '../kit/values.ts';
import { checkWorkingHours } from './sla/working-time.ts';
import { buildTeamRules } from './team-rules.ts';

const buildOpenTicketsSql = (row: Sql, context: SqlContext, where: (ticket: Sql) => Sql): Sql => {
  const ticket = context.alias();
  return sql`(select count(*)::int from ${context.table('helpdesk.ticket')} ${ticket}
    where ${ticket}.workspace_id = ${context.workspace} and ${ticket}.team_id = ${row}.id and ${ticket}.active
      and ${ticket}.close_date is null and ${where(ticket)})`;
};

defineModel('helpdesk.team', {
  group: 'data',
  order: 'sequence, name, id',
  access: { 'helpdesk.group_helpdesk_user': 'r', 'helpdesk.group_helpdesk_manager': 'crwu' },
  rules: [companyRule(), ...buildTeamRules('')],
  mixins: ['mail.thread'],
  computed: {
    open_ticket_count: {
      type: 'integer',
      label: 'Open Tickets',
      sql: (row, context) => buildOpenTicketsSql(row, context, () => sql`true`),
    },
    unassigned_tickets: {
      type: 'integer',
      label: 'Unassigned Tickets',
      sql: (row, context) => buildOpenTicketsSql(row, context, (ticket) => sql`${ticket}.user_id is null`),
    },
    sla_failed: {
      type: 'integer',
      label: 'Tickets with a Failed SLA Policy',
      sql: (row, context) => buildOpenTicketsSql(row, context, (ticket) => sql`${ticket}.sla_fail`),
    },
  },
  prepare: async (ctx, list, ids) => {
    for (const values of list) await checkMailbox(ctx, values, ids ?? []);
  },
  afterCreate: checkWorkingHours,
  afterWrite: checkWorkingHours,
  beforeUnlink: rejectTeamsWithTickets,
});

/**
 * Checks that the caller manages the mailbox, because a team can read and send its mailbox's mail.
 * @throws USER_ERROR if the mailbox is not shared, FORBIDDEN
 */
async function checkMailbox(ctx: Ctx, values: Values, teams: number[]): Promise<void> {
  const id = linkId(values.mailbox_id);
  if (id === null) return;
  const [mailbox] = await ctx.db.rows<{ kind: string; role: string | null; isTheirs: boolean }>(
    sql`select a.kind, m.role, exists (select 1 from helpdesk_team t where t.workspace_id = ${ctx.workspace.id}
         and t.mailbox_id = a.id and t.id = any(${teams}::int[])) as "isTheirs"
     from svc_mail_account a left join svc_mail_member m on m.workspace_id = ${ctx.workspace.id}
       and m.account_id = a.id and m.user_id = ${ctx.principal?.userId ?? 0}
     where a.workspace_id = ${ctx.workspace.id} and a.id = ${id} and a.active`,
  );
  if (mailbox?.kind !== 'shared')
    throw errors.user('A team can only receive mail through a shared mailbox (mailbox_id).');
  const isAdmin = ctx.sudo || (ctx.principal?.groups.has('base.group_system') ?? false);
  if (!isAdmin && !mailbox.isTheirs && mailbox.role !== 'owner' && mailbox.role !== 'manager')
    throw errors.notAllowed(
      "Only administrators and the mailbox's manager can connect a mailbox to a team (mailbox_id).",
    );
}

async function rejectTeamsWithTickets(ctx: Ctx, ids: number[]): Promise<void> {
  const [used] = await ctx.db.rows(
    sql`select 1 from helpdesk_ticket where workspace_id = ${ctx.workspace.id} and team_id = any(${ids}) limit 1`,
  );
  if (used) throw errors.user('A team that has tickets cannot be deleted; archive it instead.');
}
