import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { type Ctx, formatInstant, parseTimestamp, sql } from '../../kit/surface.ts';
import { computeDeadline, type WorkingTime } from './working-time.ts';

export const SLA_DUE_KIND = 'helpdesk-sla';

interface TicketFacts {
  id: number;
  team: number;
  type: number | null;
  priority: string;
  tags: number[];
  /** Sequence of the ticket's stage. -1 if it has no stage. */
  progress: number;
  /** Creation time, formatted like a datetime field. */
  created: string;
}

interface PolicyFacts {
  id: number;
  team: number;
  types: number[];
  priority: string | null;
  tags: number[];
  progress: number;
  hours: number;
  work: WorkingTime;
}

export const isPolicyFor = ({ team, types, priority, tags }: PolicyFacts, ticket: TicketFacts): boolean =>
  team === ticket.team &&
  (priority === null || priority === ticket.priority) &&
  (types.length === 0 || types.includes(ticket.type ?? 0)) &&
  (tags.length === 0 || tags.some((tag) => ticket.tags.includes(tag)));

interface StatusFacts {
  ticket: number;
  policy: number;
  deadline: string;
  reached: string | null;
  status: 'ongoing' | 'reached' | 'failed';
}

/** A deadline that passes before the target stage is reached counts as failed. */
export function computeSlaStatus(
  deadline: string,
  reachedAt: string | null,
  now: string,
): StatusFacts['status'] {
  if ((reachedAt ?? now) > deadline) return 'failed';
  return reachedAt === null ? 'ongoing' : 'reached';
}

/** Syncs tickets' SLA statuses with their team, type, priority, tags and stage. */
export async function updateSlaStatuses(ctx: Ctx, ids: number[]): Promise<void> {
  const tickets = await loadTicketFacts(ctx, ids);
  const policies = await loadPolicyFacts(ctx, [...new Set(tickets.map(({ team }) => team))]);
  const rows = await loadStatusFacts(
    ctx,
    tickets.map(({ id }) => id),
  );
  if (policies.length === 0 && rows.length === 0) return;
  const rowsByKey = new Map(rows.map((row) => [buildKey(row), row]));
  const now = formatInstant(Date.now());
  const wantedStatuses = tickets.flatMap((ticket) =>
    policies
      .filter((policy) => isPolicyFor(policy, ticket))
      .map((policy) => computeWantedStatus(ticket, policy, rowsByKey, now)),
  );
  await deleteObsoleteStatuses(ctx, rows, wantedStatuses);
  await storeStatuses(ctx, wantedStatuses);
  await updateTicketSla(ctx, ids);
  const [soonest] = wantedStatuses
    .flatMap(({ status, deadline }) => (status === 'ongoing' ? [deadline] : []))
    .sort();
  if (soonest)
    scheduleDueWork(ctx.db, ctx.workspace.id, SLA_DUE_KIND, {
      at: new Date(parseTimestamp(soonest)).toISOString(),
    });
}

const buildKey = ({ ticket, policy }: Pick<StatusFacts, 'ticket' | 'policy'>): string =>
  `${ticket} ${policy}`;

function computeWantedStatus(
  ticket: TicketFacts,
  policy: PolicyFacts,
  factsByKey: ReadonlyMap<string, StatusFacts>,
  now: string,
): StatusFacts {
  const before = factsByKey.get(buildKey({ ticket: ticket.id, policy: policy.id }));
  const deadline =
    before?.deadline ??
    formatInstant(computeDeadline(parseTimestamp(ticket.created), policy.hours, policy.work));
  const reachedAt = ticket.progress >= policy.progress ? (before?.reached ?? now) : null;
  return {
    ticket: ticket.id,
    policy: policy.id,
    deadline,
    reached: reachedAt,
    status: computeSlaStatus(deadline, reachedAt, now),
  };
}

/** Skips archived tickets, which keep their statuses. */
const loadTicketFacts = ({ db, workspace: { id: workspace } }: Ctx, ids: number[]): Promise<TicketFacts[]> =>
  db.rows<TicketFacts>(
    sql`select t.id, t.team_id as team, t.ticket_type_id as type, t.priority, coalesce(s.sequence, -1) as progress,
       t.create_date::timestamp(0)::text as created,
       array(select r.tag_id from helpdesk_tag_ticket_rel r
         where r.workspace_id = ${workspace} and r.ticket_id = t.id) as tags
     from helpdesk_ticket t
     left join helpdesk_stage s on s.workspace_id = ${workspace} and s.id = t.stage_id
     where t.workspace_id = ${workspace} and t.id = any(${ids}) and t.active and t.team_id is not null`,
  );

type PolicyRow = Omit<PolicyFacts, 'work'> & WorkingTime;

async function loadPolicyFacts(
  { db, workspace: { id: workspace } }: Ctx,
  teams: number[],
): Promise<PolicyFacts[]> {
  if (teams.length === 0) return [];
  const rows = await db.rows<PolicyRow>(
    sql`select p.id, p.team_id as team, p.priority, p.time as hours, s.sequence as progress, h.tz,
       array[h.mon, h.tue, h.wed, h.thu, h.fri, h.sat, h.sun] as days, h.hour_from as "from", h.hour_to as "to",
       array(select r.type_id from helpdesk_sla_type_rel r
         where r.workspace_id = ${workspace} and r.sla_id = p.id) as types,
       array(select r.tag_id from helpdesk_sla_tag_rel r
         where r.workspace_id = ${workspace} and r.sla_id = p.id) as tags
     from helpdesk_sla p
     join helpdesk_team h on h.workspace_id = ${workspace} and h.id = p.team_id and h.use_sla
     join helpdesk_stage s on s.workspace_id = ${workspace} and s.id = p.stage_id
     where p.workspace_id = ${workspace} and p.team_id = any(${teams}) and p.active`,
  );
  return rows.map(({ tz, days, from, to, ...policy }) => ({ ...policy, work: { tz, days, from, to } }));
}

const loadStatusFacts = (
  { db, workspace: { id: workspace } }: Ctx,
  tickets: number[],
): Promise<StatusFacts[]> =>
  db.rows<StatusFacts>(
    sql`select s.ticket_id as ticket, s.sla_id as policy, s.deadline::timestamp(0)::text as deadline,
       s.reached_datetime::timestamp(0)::text as reached, s.status
     from helpdesk_sla_status s where s.workspace_id = ${workspace} and s.ticket_id = any(${tickets})`,
  );

/** Removes statuses of policies that no longer match, unless reached or failed. */
async function deleteObsoleteStatuses(
  { db, workspace }: Ctx,
  existingStatuses: readonly StatusFacts[],
  wantedStatuses: readonly StatusFacts[],
): Promise<void> {
  const wantedKeys = new Set(wantedStatuses.map(buildKey));
  const obsolete = existingStatuses.filter(
    (status) => status.status === 'ongoing' && !wantedKeys.has(buildKey(status)),
  );
  if (obsolete.length === 0) return;
  await db.rows(
    sql`delete from helpdesk_sla_status s where s.workspace_id = ${workspace.id} and (s.ticket_id, s.sla_id) in (
       select g.ticket_id, g.sla_id from unnest(${obsolete.map(({ ticket }) => ticket)}::int[],
         ${obsolete.map(({ policy }) => policy)}::int[]) g(ticket_id, sla_id))`,
  );
}

async function storeStatuses(ctx: Ctx, wantedStatuses: readonly StatusFacts[]): Promise<void> {
  if (wantedStatuses.length === 0) return;
  const ids = await allocateIds(ctx, 'helpdesk_sla_status', wantedStatuses.length);
  await ctx.db.rows(
    sql`insert into helpdesk_sla_status as s
       (workspace_id, id, ticket_id, sla_id, deadline, reached_datetime, status)
     select t.workspace_id, w.* from unnest(${ids}::int[],
       ${wantedStatuses.map(({ ticket }) => ticket)}::int[],
       ${wantedStatuses.map(({ policy }) => policy)}::int[],
       ${wantedStatuses.map(({ deadline }) => deadline)}::timestamp[],
       ${wantedStatuses.map(({ reached }) => reached)}::timestamp[],
       ${wantedStatuses.map(({ status }) => status)}::text[])
       w(id, ticket_id, sla_id, deadline, reached_datetime, status)
     join helpdesk_ticket t on t.workspace_id = ${ctx.workspace.id} and t.id = w.ticket_id
     on conflict (workspace_id, ticket_id, sla_id) do update
       set reached_datetime = excluded.reached_datetime, status = excluded.status
       where s.status <> excluded.status or s.reached_datetime is distinct from excluded.reached_datetime`,
  );
}

export async function updateTicketSla({ db, workspace: { id } }: Ctx, tickets: number[]): Promise<void> {
  const workspace = sql.param(id);
  await db.rows(
    sql`update helpdesk_ticket t set sla_deadline = x.deadline, sla_fail = x.failed from (
       select i.id, (select min(s.deadline) from helpdesk_sla_status s
           where s.workspace_id = ${workspace} and s.ticket_id = i.id and s.status = 'ongoing') as deadline,
         exists (select 1 from helpdesk_sla_status s
           where s.workspace_id = ${workspace} and s.ticket_id = i.id and s.status = 'failed') as failed
       from unnest(${tickets}::int[]) i(id)) x
     where t.workspace_id = ${workspace} and t.id = x.id
       and (t.sla_deadline is distinct from x.deadline or t.sla_fail <> x.failed)`,
  );
}
