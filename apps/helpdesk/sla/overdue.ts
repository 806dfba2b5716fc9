import { defineDueWork } from '../../../src/engine/work/due-work.ts';
import { sweepDueTimes } from '../../../src/engine/work/sweep.ts';
import { type Ctx, create, formatDay, sql } from '../../kit/surface.ts';
import { SLA_DUE_KIND, updateTicketSla } from './update-statuses.ts';

/** Maximum number of missed deadlines per transaction. */
const MAX_MISSED_DEADLINES = 50;

interface MissedDeadline {
  ticket: number;
  policy: string;
  user: number | null;
}

/** Marks each missed deadline as failed once and creates an activity for the responsible user. */
defineDueWork({
  kind: SLA_DUE_KIND,
  app: 'helpdesk',
  run: (ctx, { at }) =>
    ctx.tx(async (tx) => {
      const deadlines = await claimMissedDeadlines(tx, at);
      const tickets = deadlines.map(({ ticket }) => ticket);
      await updateTicketSla(tx, tickets);
      await create(tx, 'mail.activity', deadlines.flatMap(buildActivities));
      const next = await tx.db.value<string | null>(
        sql`select min(s.deadline)::text from helpdesk_sla_status s
         where s.workspace_id = ${tx.workspace.id} and s.status = 'ongoing'`,
      );
      return { done: deadlines.length, next };
    }),
});

async function claimMissedDeadlines({ db, workspace: { id } }: Ctx, at: string): Promise<MissedDeadline[]> {
  const workspace = sql.param(id);
  return db.rows<MissedDeadline>(
    sql`with due as (
       select s.id from helpdesk_sla_status s
       where s.workspace_id = ${workspace} and s.status = 'ongoing' and s.deadline <= ${at}::timestamp
       order by s.deadline, s.id limit ${sql.literal(MAX_MISSED_DEADLINES)} for update skip locked
     ), failed as (
       update helpdesk_sla_status s set status = 'failed' from due
       where s.workspace_id = ${workspace} and s.id = due.id returning s.ticket_id, s.sla_id
     )
     select f.ticket_id as ticket, p.name as policy, coalesce(t.user_id, h.user_id) as "user" from failed f
     join helpdesk_sla p on p.workspace_id = ${workspace} and p.id = f.sla_id
     join helpdesk_ticket t on t.workspace_id = ${workspace} and t.id = f.ticket_id
     left join helpdesk_team h on h.workspace_id = ${workspace} and h.id = t.team_id`,
  );
}

const buildActivities = ({ ticket, policy, user }: MissedDeadline) =>
  user === null
    ? []
    : [
        {
          res_model: 'helpdesk.ticket',
          res_id: ticket,
          summary: `SLA failed: ${policy}`,
          user_id: user,
          date_deadline: formatDay(),
        },
      ];

/** Schedules deadlines that passed while no process was running. */
sweepDueTimes(SLA_DUE_KIND, 'helpdesk_sla_status', 'deadline', sql`status = 'ongoing'`);
