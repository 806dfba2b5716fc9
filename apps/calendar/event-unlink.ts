import { sql } from '../../src/db/sql.ts';
import { assertModelAccess } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { defineEnumShape } from '../../src/engine/operation/shape.ts';
import { unlink } from '../../src/engine/write/write.ts';
import { cancelInvitations } from './invite/cancel.ts';
import { inviteAttendees } from './invite/invite.ts';
import { detachOccurrences } from './recurrence/change-series.ts';
import { deleteSeriesEvents, endSeriesBefore, lockSeries, updateBaseEvent } from './recurrence/series.ts';

/** Runs before events are deleted. Notifies invited attendees, and excludes the events from their recurrences. */
export async function cancelEvents(ctx: Ctx, ids: number[]): Promise<void> {
  await cancelInvitations(ctx, ids);
  await detachOccurrences(ctx, ids);
}

const ScopeShape = defineEnumShape(
  'CalendarRecurrenceUpdate',
  'Events of a recurrence that a change applies to.',
  {
    self_only: 'This event.',
    future_events: 'This event and all later ones.',
    all_events: 'The whole recurrence, including past events.',
  },
);

export const calendarEventsDelete = defineOperation('calendarEventsDelete', {
  effects: ['writes', 'deletes', 'sends'],
  address: 'calendar.event/action_mass_deletion',
  onRecords: true,
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Deletes events. For recurring events, can also delete all later events or the whole recurrence.',
  args: (arg) => ({
    ids: arg.recordIds({ required: true }),
    recurrenceUpdateSetting: arg({
      type: ScopeShape.ref as never,
      required: true,
      description: 'Part of the recurrence to delete. Ignored for events that do not recur.',
    }),
  }),
  type: 'Boolean',
  run: (ctx, { ids, recurrenceUpdateSetting }) =>
    ctx.tx(async (tx) => {
      assertModelAccess(tx, getModel(tx, 'calendar.event'), 'unlink');
      for (const id of ids) await deleteEvents(tx, id, String(recurrenceUpdateSetting));
      return true;
    }),
});

async function deleteEvents(ctx: Ctx, id: number, scope: string): Promise<void> {
  const [event] = await ctx.db.rows<{ recurrence_id: number | null; occurrence: string }>(
    sql`select recurrence_id, occurrence::timestamp(0)::text as occurrence from calendar_event
     where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  if (!event?.recurrence_id || scope === 'self_only') {
    await unlink(ctx, 'calendar.event', [id]);
    return;
  }
  const series = await lockSeries(ctx, event.recurrence_id);
  const isWhole = scope === 'all_events' || event.occurrence <= series.dtstart;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from calendar_event where workspace_id = ${ctx.workspace.id} and recurrence_id = ${series.id}
       and (${isWhole} or occurrence >= ${event.occurrence}::timestamp) order by id`,
  );
  const ids = rows.map((row) => row.id);
  if (isWhole) {
    await unlink(ctx, 'calendar.event', ids);
    return;
  }
  await endSeriesBefore(ctx, series, event.occurrence);
  await deleteSeriesEvents(ctx, ids);
  await updateBaseEvent(ctx, series.id);
  await inviteAttendees(ctx, [], { series: [series.id], removedAttendees: [] });
}
