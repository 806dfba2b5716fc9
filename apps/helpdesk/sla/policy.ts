import { type Ctx, defineModel, errors, type Sql, sql } from '../../kit/surface.ts';
import { buildTeamRules } from '../team-rules.ts';
import { updateTicketSla } from './update-statuses.ts';

/** Maximum number of working hours that a policy may allow for reaching a stage. */
const MAX_SLA_HOURS = 4_000;
const MAX_POLICIES_PER_TEAM = 100;

defineModel('helpdesk.sla', {
  group: 'data',
  order: 'team_id, time, id',
  access: { 'helpdesk.group_helpdesk_user': 'r', 'helpdesk.group_helpdesk_manager': 'crwu' },
  rules: buildTeamRules('team_id.'),
  prepare: (_ctx, list) => {
    for (const { time } of list)
      if (typeof time === 'number' && !(time >= 0 && time <= MAX_SLA_HOURS))
        throw errors.validation(`time must be from 0 to ${MAX_SLA_HOURS} hours.`);
  },
  afterCreate: checkPolicyCount,
  afterWrite: async (ctx, ids, values) => {
    await checkPolicyCount(ctx, ids);
    if (values.active === false) await removeStatuses(ctx, ids, sql`s.status = 'ongoing'`);
  },
  beforeUnlink: (ctx, ids) => removeStatuses(ctx, ids, sql`true`),
});

/**
 * Removes the statuses of deleted or archived policies from tickets. Retains reached and failed statuses of archived
 * policies.
 */
async function removeStatuses(ctx: Ctx, policies: number[], condition: Sql): Promise<void> {
  const removedRows = await ctx.db.rows<{ ticket: number }>(
    sql`delete from helpdesk_sla_status s
     where s.workspace_id = ${ctx.workspace.id} and s.sla_id = any(${policies}) and ${condition}
     returning s.ticket_id as ticket`,
  );
  await updateTicketSla(ctx, [...new Set(removedRows.map(({ ticket }) => ticket))]);
}

async function checkPolicyCount(ctx: Ctx, ids: number[]): Promise<void> {
  const [over] = await ctx.db.rows(
    sql`select p.team_id from helpdesk_sla p where p.workspace_id = ${ctx.workspace.id} and p.active
       and p.team_id in (select n.team_id from helpdesk_sla n
         where n.workspace_id = ${ctx.workspace.id} and n.id = any(${ids}))
     group by p.team_id having count(*) > ${MAX_POLICIES_PER_TEAM} limit 1`,
  );
  if (over) throw errors.user(`A team may have at most ${MAX_POLICIES_PER_TEAM} active SLA policies.`);
}

defineModel('helpdesk.sla.status', {
  group: 'data',
  display: 'sla_id',
  order: 'deadline, id',
  // Statuses are derived from tickets and policies.
  access: { 'helpdesk.group_helpdesk_user': 'r' },
  ceiling: 'r',
  rules: buildTeamRules('ticket_id.team_id.', ["('ticket_id.user_id', '=', user.id)"]),
});
