import { defineDueWork } from '../../../src/engine/work/due-work.ts';
import { sweepDueTimes } from '../../../src/engine/work/sweep.ts';
import { type Ctx, parseTimestamp, sql } from '../../kit/surface.ts';
import { scheduleReminders } from '../reminder.ts';
import {
  computeExtensionTime,
  EXTENSION_KIND,
  EXTENSION_SIZE,
  hasCapacity,
  loadBaseTimes,
  lockSeries,
  MAX_RECURRENCE_EVENTS,
  type Series,
  saveSeries,
  scheduleExtension,
  syncOccurrences,
} from './series.ts';

// Adds further occurrences before the existing ones run out. Sends no mail, because attendees were invited to the
// recurrence as a whole.

defineDueWork({
  kind: EXTENSION_KIND,
  app: 'calendar',
  run: (ctx, { at }) =>
    ctx.tx(async (tx) => {
      const workspace = tx.workspace.id;
      const rows = await tx.db.rows<{ id: number }>(
        sql`select r.id from calendar_recurrence r
         where r.workspace_id = ${workspace} and r.extend_at <= ${at}::timestamp
         order by r.extend_at, r.id limit 1 for update skip locked`,
      );
      for (const { id } of rows) await extendSeries(tx, await lockSeries(tx, id), at);
      const next = await tx.db.value<string | null>(
        sql`select min(r.extend_at)::text from calendar_recurrence r where r.workspace_id = ${workspace}`,
      );
      return { done: rows.length, next };
    }),
});

/** Adds the next batch of occurrences, unless the recurrence was changed in the meantime. */
async function extendSeries(ctx: Ctx, series: Series, now: string): Promise<void> {
  const next = computeExtensionTime(series);
  const base = await loadBaseTimes(ctx, series);
  if (!next || next > now) return scheduleExtension(ctx, series, next);
  if (!base || !(await hasCapacity(ctx, series, EXTENSION_SIZE))) return scheduleExtension(ctx, series, null);
  const extendedSeries = { ...series, reach: Math.min(series.reach + EXTENSION_SIZE, MAX_RECURRENCE_EVENTS) };
  await saveSeries(ctx, extendedSeries);
  await syncOccurrences(ctx, extendedSeries, parseTimestamp(base.stop) - parseTimestamp(base.start), false);
  await scheduleReminders(ctx, [series.base_event_id!]);
}

/** Schedules extensions that became due while no process was running. */
sweepDueTimes(EXTENSION_KIND, 'calendar_recurrence', 'extend_at');
