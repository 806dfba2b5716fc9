import { allocateIds } from '../../src/engine/ctx/allocate-ids.ts';
import { limits } from '../../src/limits.ts';
import { type Ctx, errors, formatInstant, sql } from '../kit/surface.ts';

export interface RemovedAttendee {
  event_id: number;
  partner_id: number;
}

/**
 * Syncs events' attendees with `partner_ids`. The organizer accepts automatically. New attendees start as
 * `needsAction`.
 * @returns the removed attendees who had been invited
 * @throws USER_ERROR if an event has too many attendees
 */
export async function syncAttendees(ctx: Ctx, events: number[]): Promise<RemovedAttendee[]> {
  const workspace = sql.param(ctx.workspace.id);
  const removed = await ctx.db.rows<RemovedAttendee & { invited: boolean }>(
    sql`delete from calendar_attendee a
     where a.workspace_id = ${workspace} and a.event_id = any(${events}) and not exists (
       select 1 from calendar_event_partner_rel r where r.workspace_id = ${workspace} and r.event_id = a.event_id
         and r.partner_id = a.partner_id)
     returning a.event_id, a.partner_id, a.invited`,
  );
  const lackingRows = await ctx.db.rows<{ event_id: number; partner_id: number; comes: boolean }>(
    sql`select r.event_id, r.partner_id, r.partner_id is not distinct from u.partner_id as comes
     from calendar_event_partner_rel r
     join calendar_event e on e.workspace_id = ${workspace} and e.id = r.event_id
     left join res_users u on u.workspace_id = ${workspace} and u.id = e.user_id
     where r.workspace_id = ${workspace} and r.event_id = any(${events}) and not exists (
       select 1 from calendar_attendee a where a.workspace_id = ${workspace} and a.event_id = r.event_id
         and a.partner_id = r.partner_id)
     order by r.event_id, r.partner_id`,
  );
  if (lackingRows.length > 0) {
    await checkAttendeeCount(ctx, events);
    const ids = await allocateIds(ctx, 'calendar_attendee', lackingRows.length);
    await ctx.db.rows(
      sql`insert into calendar_attendee (workspace_id, id, event_id, partner_id, state, create_uid, write_uid)
       select e.workspace_id, n.id, e.id, n.partner_id, n.state, ${ctx.principal?.userId ?? null}::int,
         ${ctx.principal?.userId ?? null}::int
       from unnest(${ids}::int[], ${lackingRows.map((item) => item.event_id)}::int[],
         ${lackingRows.map((item) => item.partner_id)}::int[],
         ${lackingRows.map(({ comes }) => (comes ? 'accepted' : 'needsAction'))}::text[])
         n(id, event_id, partner_id, state)
       join calendar_event e on e.workspace_id = ${workspace} and e.id = n.event_id`,
    );
  }
  return removed.filter(({ invited }) => invited);
}

async function checkAttendeeCount(ctx: Ctx, events: number[]): Promise<void> {
  const rows = await ctx.db.rows(
    sql`select r.event_id from calendar_event_partner_rel r
     where r.workspace_id = ${ctx.workspace.id} and r.event_id = any(${events})
     group by r.event_id having count(*) > ${limits.calendar.attendees} limit 1`,
  );
  if (rows.length > 0) throw errors.user(`An event may have at most ${limits.calendar.attendees} attendees.`);
}

/** Resets attendees' replies after the time has changed. The organizer's reply remains "accepted". */
export async function resetResponses(ctx: Ctx, events: number[]): Promise<void> {
  await ctx.db.rows(
    sql`update calendar_attendee a set state = 'needsAction', write_date = ${formatInstant(Date.now())}::timestamp
     where a.workspace_id = ${ctx.workspace.id} and a.event_id = any(${events}) and a.state <> 'needsAction'
       and not exists (
         select 1 from calendar_event e
         join res_users u on u.workspace_id = ${ctx.workspace.id} and u.id = e.user_id
         where e.workspace_id = ${ctx.workspace.id} and e.id = a.event_id and u.partner_id = a.partner_id)`,
  );
}
