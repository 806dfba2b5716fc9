import { type Ctx, sql } from '../../kit/surface.ts';
import type { RemovedAttendee } from '../attendee-sync.ts';
import { type Attendee, type EventUnit, loadUnits } from '../ics/load-events.ts';
import { mailUnit } from './mail-unit.ts';

/**
 * Notifies invited attendees of events that are about to be deleted. Sends one notice per recurrence if the entire
 * recurrence is deleted.
 */
export async function cancelInvitations(ctx: Ctx, ids: number[]): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const units = await loadUnits(
    ctx,
    sql`e.id = any(${ids}) and exists (select 1 from calendar_attendee i
       where i.workspace_id = ${workspace} and i.event_id = e.id and i.invited)`,
  );
  const deletedSeries = await findWholeSeries(ctx, ids);
  for (const unit of units) {
    const series = deletedSeries.get(unit.event_id);
    if (series !== undefined && unit.series_id === null && series.base !== unit.event_id) continue;
    const isSingleOccurrence = series === undefined && unit.series_id !== null;
    await sendCancellation(
      ctx,
      isSingleOccurrence ? await toOccurrenceUnit(ctx, unit) : unit,
      unit.attendees,
    );
  }
}

/** Maps each event of an entirely deleted recurrence to the recurrence's base event. */
async function findWholeSeries(ctx: Ctx, ids: number[]): Promise<Map<number, { base: number }>> {
  const rows = await ctx.db.rows<{ events: number[]; base: number }>(
    sql`select array_agg(e.id) as events, min(r.base_event_id) as base from calendar_event e
     join calendar_recurrence r on r.workspace_id = ${ctx.workspace.id} and r.id = e.recurrence_id
     where e.workspace_id = ${ctx.workspace.id} and e.recurrence_id in (
       select m.recurrence_id from calendar_event m where m.workspace_id = ${ctx.workspace.id} and m.id = any(${ids}))
     group by e.recurrence_id having bool_and(e.id = any(${ids}))`,
  );
  return new Map(rows.flatMap(({ events, base }) => events.map((id) => [id, { base }])));
}

async function toOccurrenceUnit(ctx: Ctx, unit: EventUnit): Promise<EventUnit> {
  const [row] = await ctx.db.rows<{ start: string; stop: string; occurrence: string }>(
    sql`select start::timestamp(0)::text as start, stop::timestamp(0)::text as stop,
       occurrence::timestamp(0)::text as occurrence from calendar_event
     where workspace_id = ${ctx.workspace.id} and id = ${unit.event_id}`,
  );
  return { ...unit, series_id: null, ics: { ...unit.ics, ...row!, rule: null, left_out: [] } };
}

export async function cancelForRemoved(
  ctx: Ctx,
  unit: EventUnit,
  removedAttendees: readonly RemovedAttendee[],
): Promise<void> {
  const partners = removedAttendees.flatMap(({ event_id, partner_id }) =>
    event_id === unit.event_id ? [partner_id] : [],
  );
  if (partners.length === 0) return;
  const rows = await ctx.db.rows<{ id: number; name: string; email: string }>(
    sql`select id, name, email from res_partner where workspace_id = ${ctx.workspace.id} and id = any(${partners})
       and email is not null`,
  );
  await sendCancellation(
    ctx,
    unit,
    rows.map((row) => ({ ...row, partner_id: row.id, state: 'declined', invited: true, isOrganizer: false })),
  );
}

async function sendCancellation(ctx: Ctx, unit: EventUnit, attendees: readonly Attendee[]): Promise<void> {
  if (unit.isPast) return;
  const recipients = attendees.filter(({ invited, isOrganizer }) => invited && !isOrganizer);
  const ics = { ...unit.ics, revision: unit.ics.revision + 1, attendees: recipients };
  await mailUnit(ctx, { ...unit, ics }, recipients, 'CANCEL');
}
