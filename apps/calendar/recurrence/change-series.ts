import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import { limits } from '../../../src/limits.ts';
import { type Ctx, isSet, parseTimestamp, sql, type Values } from '../../kit/surface.ts';
import { computeTimes, type EventTimes, TIME_FIELDS } from '../event-times.ts';
import { createEventUid } from '../event-uid.ts';
import { parseWallTime } from '../wall-time.ts';
import { moveRule } from './rule.ts';
import { buildRule, hasRule } from './rule-values.ts';
import {
  deleteSeriesEvents,
  endSeriesBefore,
  loadBaseTimes,
  lockSeries,
  type Series,
  saveSeries,
  shiftStarts,
  syncOccurrences,
  updateBaseEvent,
} from './series.ts';
import { computeFirstOccurrence, getEventZone } from './start-recurrence.ts';

export interface OccurrenceEvent {
  id: number;
  event_tz: string | null;
  recurrence_id: number | null;
  occurrence: string | null;
  follow_recurrence: boolean;
}

interface SeriesChange {
  events: number[];
  series: number[];
  isRetimed: boolean;
}

/**
 * Changes the rule and times of an event's recurrence. Removes the times from `values`, because they differ between
 * events.
 */
export async function changeSeries(
  ctx: Ctx,
  event: EventTimes & OccurrenceEvent,
  values: Values,
  scope: 'future_events' | 'all_events',
): Promise<SeriesChange> {
  const currentSeries = await lockSeries(ctx, event.recurrence_id!);
  const isWhole = scope === 'all_events' || event.occurrence! <= currentSeries.dtstart;
  const series = isWhole ? currentSeries : await splitSeries(ctx, currentSeries, event.occurrence!);
  const touchedIds = [...new Set([currentSeries.id, series.id])];
  if (values.recurrency === false) {
    await endSeries(ctx, series, event.id);
    return { events: [event.id], series: isWhole ? [] : [currentSeries.id], isRetimed: false };
  }
  const times = computeTimes(values, event);
  for (const name of TIME_FIELDS) delete values[name];
  const tz = getZone(values, event, times?.allday ?? series.allday);
  const isElsewhere = values.event_tz !== undefined && tz !== series.event_tz;
  const isMoved = times !== null && (times.start !== event.start || times.stop !== event.stop);
  if (times || isElsewhere) {
    if (times) values.allday = times.allday;
    const from = times ? event : await loadRuleTimes(ctx, series, event);
    await retimeSeries(ctx, series, { from, times: times ?? from, tz, values });
    if (isMoved) await moveException(ctx, event.id, times);
  } else if (hasRule(values)) {
    const { event_tz, allday } = series;
    const wallTime = parseWallTime(series.dtstart, event_tz);
    const rule = buildRule(values, { wallTime, tz: event_tz, allday }, series);
    const dtstart = computeFirstOccurrence(rule, wallTime, event_tz);
    const changedSeries = { ...series, ...rule, dtstart };
    await saveSeries(ctx, changedSeries);
    const { start, stop } = await loadRuleTimes(ctx, series, event);
    await syncOccurrences(ctx, changedSeries, parseTimestamp(stop) - parseTimestamp(start), false);
  }
  return {
    events: await findFollowers(ctx, series.id, event.id),
    series: touchedIds,
    isRetimed: isMoved || isElsewhere,
  };
}

/** Returns the event's times, or the base event's times if the event was changed individually. */
const loadRuleTimes = async (
  ctx: Ctx,
  series: Series,
  event: EventTimes & OccurrenceEvent,
): Promise<EventTimes> => (event.follow_recurrence ? event : ((await loadBaseTimes(ctx, series)) ?? event));

const getZone = ({ event_tz: zone }: Values, event: OccurrenceEvent, allday: boolean): string =>
  getEventZone({ allday, event_tz: zone === undefined ? event.event_tz : isSet(zone) ? String(zone) : null });

interface RetimeInput {
  from: EventTimes;
  times: EventTimes;
  tz: string;
  values: Values;
}

/** Moves each occurrence by the offset between `from` and `times`, in local time. */
async function retimeSeries(
  ctx: Ctx,
  series: Series,
  { from, times, tz, values }: RetimeInput,
): Promise<void> {
  const before = parseWallTime(series.dtstart, series.event_tz);
  const delta = parseWallTime(times.start, tz) - parseWallTime(from.start, series.event_tz);
  const wallTime = before + delta;
  const rule = hasRule(values)
    ? buildRule(values, { wallTime, tz, allday: times.allday }, series)
    : moveRule(series, before, wallTime);
  const changedSeries: Series = {
    ...series,
    ...rule,
    event_tz: tz,
    allday: times.allday,
    dtstart: computeFirstOccurrence(rule, wallTime, tz),
    left_out: shiftStarts(series.left_out, [series.event_tz, tz], delta),
  };
  await saveSeries(ctx, changedSeries);
  await syncOccurrences(
    ctx,
    changedSeries,
    parseTimestamp(times.stop) - parseTimestamp(times.start),
    !hasRule(values),
  );
}

/** Moves an individually changed event, which the recurrence does not move. */
async function moveException(ctx: Ctx, id: number, { start, stop }: EventTimes): Promise<void> {
  await ctx.db.rows(
    sql`update calendar_event set start = ${start}::timestamp, stop = ${stop}::timestamp
     where workspace_id = ${ctx.workspace.id} and id = ${id} and not follow_recurrence`,
  );
}

/** Moves an occurrence and its successors to a new recurrence. Attendees receive new invitations for it. */
async function splitSeries(ctx: Ctx, series: Series, occurrence: string): Promise<Series> {
  const before = await endSeriesBefore(ctx, series, occurrence);
  const workspace = ctx.workspace.id;
  const id = await allocateId(ctx, 'calendar_recurrence');
  const uid = createEventUid(ctx);
  const user = ctx.principal?.userId ?? null;
  await ctx.db.rows(
    sql`insert into calendar_recurrence (workspace_id, id, event_tz, dtstart, rrule, uid, create_uid, write_uid)
     values (${workspace}, ${id}, ${series.event_tz}, ${occurrence}::timestamp, '', ${uid}, ${user}, ${user})`,
  );
  await ctx.db.rows(
    sql`update calendar_event set recurrence_id = ${id}, uid = ${uid}, invited_as = null, revision = 0
     where workspace_id = ${workspace} and recurrence_id = ${series.id} and occurrence >= ${occurrence}::timestamp`,
  );
  await ctx.db.rows(
    sql`update calendar_attendee a set invited = false from calendar_event e
     where a.workspace_id = ${workspace} and e.workspace_id = ${workspace} and e.id = a.event_id
       and e.recurrence_id = ${id}`,
  );
  await updateBaseEvent(ctx, series.id);
  await updateBaseEvent(ctx, id);
  const rest: Series = {
    ...series,
    id,
    uid,
    dtstart: occurrence,
    count: Math.max(1, series.count - before),
    reach: Math.max(limits.calendar.occurrences, series.reach - before),
    left_out: series.left_out.filter((start) => start >= occurrence),
    base_event_id: (await lockSeries(ctx, id)).base_event_id,
  };
  await saveSeries(ctx, rest);
  return rest;
}

/** Deletes all other events of the recurrence. The given event inherits the recurrence's invitation state. */
async function endSeries(ctx: Ctx, series: Series, event: number): Promise<void> {
  const workspace = ctx.workspace.id;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from calendar_event where workspace_id = ${workspace} and recurrence_id = ${series.id}
       and id <> ${event} for update`,
  );
  await ctx.db.rows(
    sql`update calendar_event e set recurrence_id = null, recurrency = false, follow_recurrence = false,
       occurrence = null, invited_as = r.invited_as, revision = r.revision from calendar_recurrence r
     where e.workspace_id = ${workspace} and e.id = ${event} and r.workspace_id = ${workspace} and r.id = ${series.id}`,
  );
  const ids = rows.map(({ id }) => id);
  await deleteSeriesEvents(ctx, ids);
  await updateBaseEvent(ctx, series.id);
}

async function findFollowers(ctx: Ctx, series: number, event: number): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from calendar_event where workspace_id = ${ctx.workspace.id} and recurrence_id = ${series}
       and (follow_recurrence or id = ${event}) order by id`,
  );
  return rows.map(({ id }) => id);
}

export async function detachOccurrences(ctx: Ctx, ids: number[]): Promise<number[]> {
  const rows = await ctx.db.rows<{ recurrence_id: number; occurrences: string[] }>(
    sql`select recurrence_id, array_agg(occurrence::timestamp(0)::text) as occurrences from calendar_event
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and recurrence_id is not null
     group by recurrence_id order by recurrence_id`,
  );
  for (const { recurrence_id: id, occurrences } of rows) {
    const series = await lockSeries(ctx, id);
    await saveSeries(ctx, { ...series, left_out: [...new Set([...series.left_out, ...occurrences])].sort() });
  }
  await ctx.db.rows(
    sql`update calendar_event set recurrence_id = null, recurrency = false
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and recurrence_id is not null`,
  );
  const series = rows.map(({ recurrence_id: id }) => id);
  for (const id of series) await updateBaseEvent(ctx, id);
  return series;
}
