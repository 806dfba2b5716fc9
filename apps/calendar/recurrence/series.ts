import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import { allocateId, allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import { addChangedRecords } from '../../../src/engine/ctx/call-usage.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { formatInstant, fromWallClock, parseTimestamp } from '../../../src/engine/value/instant.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { unlink } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import type { EventTimes } from '../event-times.ts';
import { DAY_MS, formatWallDay, parseWallTime } from '../wall-time.ts';
import {
  checkRecurrence,
  computeOccurrences,
  formatRule,
  RECURRENCE_FIELDS,
  type RecurrenceRule,
} from './rule.ts';

/** Maximum number of a recurrence's events, including past events. */
export const MAX_RECURRENCE_EVENTS = 14_400;
/** Maximum product of a recurrence's attendees and initial occurrences. */
const MAX_INITIAL_ATTENDEES = 20_000;

export interface Series extends RecurrenceRule {
  id: number;
  base_event_id: number | null;
  event_tz: string;
  dtstart: string;
  allday: boolean;
  left_out: string[];
  uid: string;
  reach: number;
}

const RULE_COLUMNS = sql.join(
  RECURRENCE_FIELDS.map((name) => (name === 'until' ? sql`r.until::text as until` : sql.id('r', name))),
);

const SERIES_COLUMNS = sql`r.id, r.base_event_id, r.event_tz, r.dtstart::timestamp(0)::text as dtstart, r.allday,
  r.left_out,
  r.uid, r.reach, ${RULE_COLUMNS}`;

export async function lockSeries(ctx: Ctx, id: number): Promise<Series> {
  const [series] = await ctx.db.rows<Series>(
    sql`select ${SERIES_COLUMNS} from calendar_recurrence r
     where r.workspace_id = ${ctx.workspace.id} and r.id = ${id} for update`,
  );
  return series!;
}

/** Loads the times of the recurrence's base event, which follows the rule unless no event does. */
export async function loadBaseTimes(ctx: Ctx, { base_event_id }: Series): Promise<EventTimes | undefined> {
  const [base] = await ctx.db.rows<EventTimes>(
    sql`select start::timestamp(0)::text as start, stop::timestamp(0)::text as stop, allday from calendar_event
     where workspace_id = ${ctx.workspace.id} and id = ${base_event_id}`,
  );
  return base;
}

/** Adds a recurrence that starts with an event. Its other occurrences are created separately. @returns its id */
export async function addSeries(ctx: Ctx, series: Omit<Series, 'id'>): Promise<number> {
  const id = await allocateId(ctx, 'calendar_recurrence');
  await ctx.db.rows(
    sql`insert into calendar_recurrence (workspace_id, id, base_event_id, event_tz, dtstart, rrule, uid, create_uid,
       write_uid)
     values (${ctx.workspace.id}, ${id}, ${series.base_event_id}, ${series.event_tz}, ${series.dtstart}::timestamp, '',
       ${series.uid}, ${ctx.principal?.userId ?? null}, ${ctx.principal?.userId ?? null})`,
  );
  await ctx.db.rows(
    sql`update calendar_event set recurrence_id = ${id}, recurrency = true, follow_recurrence = true,
       occurrence = start, uid = ${series.uid}
     where workspace_id = ${ctx.workspace.id} and id = ${series.base_event_id}`,
  );
  // The recurrence has the UID of the single event that attendees were invited to, so the event's invitation state
  // carries over.
  await ctx.db.rows(
    sql`update calendar_recurrence r set invited_as = e.invited_as, revision = e.revision from calendar_event e
     where r.workspace_id = ${ctx.workspace.id} and r.id = ${id} and e.workspace_id = ${ctx.workspace.id}
       and e.id = ${series.base_event_id}`,
  );
  await saveSeries(ctx, { ...series, id });
  return id;
}

/** @throws VALIDATION if the rule has no occurrences */
export async function saveSeries(ctx: Ctx, series: Series): Promise<void> {
  checkRecurrence(series);
  const set = sql.join(
    [...RECURRENCE_FIELDS, 'event_tz', 'allday', 'left_out', 'base_event_id', 'reach'].map(
      (name) => sql`${sql.id(name)} = ${series[name as keyof Series]}`,
    ),
  );
  await ctx.db.rows(
    sql`update calendar_recurrence set ${set}, dtstart = ${series.dtstart}::timestamp, rrule = ${formatRule(series)},
       write_date = ${formatInstant(Date.now())}::timestamp, write_uid = ${ctx.principal?.userId ?? null}
     where workspace_id = ${ctx.workspace.id} and id = ${series.id}`,
  );
}

/** Computes the starts of the materialized occurrences, including deleted ones. */
export const computeStarts = (series: Series): string[] => computeFirstStarts(series, series.reach);

const computeFirstStarts = (series: Series, maxCount: number): string[] =>
  computeOccurrences(series, parseWallTime(series.dtstart, series.event_tz), maxCount).map((wallTime) =>
    formatInstant(fromWallClock(wallTime, series.event_tz)),
  );

export const EXTENSION_KIND = 'recurrence';

export const EXTENSION_SIZE = limits.calendar.occurrences / 2;

/**
 * Computes the time of the next extension: one step before the last materialized occurrence. Null if no extension is
 * needed.
 */
export function computeExtensionTime(series: Series): string | null {
  if (series.reach >= MAX_RECURRENCE_EVENTS) return null;
  const starts = computeFirstStarts(series, series.reach + 1);
  return starts.length > series.reach ? starts[series.reach - EXTENSION_SIZE]! : null;
}

export async function scheduleExtension(ctx: Ctx, series: Series, at: string | null): Promise<void> {
  await ctx.db.rows(
    sql`update calendar_recurrence set extend_at = ${at}::timestamp
     where workspace_id = ${ctx.workspace.id} and id = ${series.id}`,
  );
  if (at)
    scheduleDueWork(ctx.db, ctx.workspace.id, EXTENSION_KIND, {
      at: new Date(parseTimestamp(at)).toISOString(),
    });
}

interface OccurrenceRow {
  id: number;
  occurrence: string;
  follows: boolean;
}

/**
 * Syncs the events of a recurrence with its rule: adds, moves and deletes events. An individually changed event keeps
 * its times.
 * @param isMoved true if the occurrences stay the same, in the same order, and only their times change
 * @param length duration of each event in ms
 */
export async function syncOccurrences(
  ctx: Ctx,
  series: Series,
  length: number,
  isMoved: boolean,
): Promise<void> {
  const excludedStarts = new Set(series.left_out);
  const all = computeStarts(series);
  if (all.length === 0)
    throw errors.validation('The recurrence has no occurrences. Select other days or a later end date.');
  const starts = all.filter((start) => !excludedStarts.has(start));
  const laid = await ctx.db.rows<OccurrenceRow>(
    sql`select id, occurrence::timestamp(0)::text as occurrence, follow_recurrence as follows from calendar_event
     where workspace_id = ${ctx.workspace.id} and recurrence_id = ${series.id} order by occurrence, id for update`,
  );
  const { unchanged, removed, more } = matchOccurrences(laid, starts, isMoved);
  if (!(await hasCapacity(ctx, series, starts.length)))
    throw errors.user(
      'The recurrence has too many occurrences for this number of attendees. Set an earlier end date or a lower count.',
    );
  await moveEvents(ctx, unchanged, length);
  await addEvents(ctx, series, more, length);
  const ids = removed.map(({ id }) => id);
  await deleteSeriesEvents(ctx, ids);
  await updateBaseEvent(ctx, series.id);
  const next = computeExtensionTime(series);
  await scheduleExtension(ctx, series, next !== null && isPast(next) ? null : next);
}

/**
 * Returns true if an extension is more than a year overdue, which is longer than any expected downtime. Skipping such
 * extensions prevents a recurrence that starts in the distant past from being materialized repeatedly.
 */
const isPast = (time: string): boolean => parseTimestamp(time) < Date.now() - 366 * DAY_MS;

/**
 * Pairs events with occurrences. `removed` contains surplus events, and `more` contains occurrences without an event.
 */
export function matchOccurrences(
  laid: readonly OccurrenceRow[],
  starts: readonly string[],
  isMoved: boolean,
): { unchanged: [OccurrenceRow, string][]; removed: OccurrenceRow[]; more: string[] } {
  const unusedStarts = new Set(starts);
  const unchanged: [OccurrenceRow, string][] = [];
  const rest: OccurrenceRow[] = [];
  for (const item of laid)
    if (!isMoved && unusedStarts.delete(item.occurrence)) unchanged.push([item, item.occurrence]);
    else rest.push(item);
  const unmatchedStarts = [...unusedStarts];
  const paired = rest
    .slice(0, unmatchedStarts.length)
    .map((item, index): [OccurrenceRow, string] => [item, unmatchedStarts[index]!]);
  return {
    unchanged: [...unchanged, ...paired],
    removed: rest.slice(unmatchedStarts.length),
    more: unmatchedStarts.slice(rest.length),
  };
}

/**
 * Returns true if the number of attendees times the number of occurrences is within the limit. Occurrences created
 * earlier are not counted.
 */
export async function hasCapacity(
  ctx: Ctx,
  { base_event_id }: Series,
  occurrences: number,
): Promise<boolean> {
  const [row] = await ctx.db.rows<{ n: number }>(
    sql`select count(*)::int as n from calendar_event_partner_rel
     where workspace_id = ${ctx.workspace.id} and event_id = ${base_event_id}`,
  );
  return Math.min(occurrences, limits.calendar.occurrences) * (row?.n ?? 0) <= MAX_INITIAL_ATTENDEES;
}

async function moveEvents(
  ctx: Ctx,
  unchanged: readonly [OccurrenceRow, string][],
  length: number,
): Promise<void> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`update calendar_event e set occurrence = m.occurrence,
       start = case when e.follow_recurrence then m.occurrence else e.start end,
       stop = case when e.follow_recurrence then m.occurrence + make_interval(secs => ${length / 1000}) else e.stop end
     from unnest(${unchanged.map(([{ id }]) => id)}::int[],
       ${unchanged.map(([, start]) => start)}::timestamp[]) m(id, occurrence)
     where e.workspace_id = ${ctx.workspace.id} and e.id = m.id
       and (e.occurrence <> m.occurrence or e.start <> m.occurrence
         or e.stop <> m.occurrence + make_interval(secs => ${length / 1000}))
     returning e.id`,
  );
  if (ctx.callUsage)
    addChangedRecords(
      ctx.callUsage,
      'calendar.event',
      rows.map(({ id }) => id),
    );
}

async function addEvents(ctx: Ctx, series: Series, starts: readonly string[], length: number): Promise<void> {
  if (starts.length === 0) return;
  const workspace = sql.param(ctx.workspace.id);
  const base = sql.param(series.base_event_id);
  const ids = sql.param(await allocateIds(ctx, 'calendar_event', starts.length));
  await ctx.db.rows(
    sql`insert into calendar_event (workspace_id, id, name, description, active, user_id, location, videocall_location,
       privacy, show_as, allday, start, stop, event_tz, recurrency, recurrence_id, follow_recurrence, occurrence, uid,
       custom, create_uid, write_uid)
     select b.workspace_id, n.id, b.name, b.description, b.active, b.user_id, b.location, b.videocall_location,
       b.privacy, b.show_as, b.allday, n.start, n.start + make_interval(secs => ${length / 1000}), b.event_tz, true,
       ${series.id}::int, true, n.start, b.uid, b.custom, b.create_uid, b.write_uid
     from calendar_event b, unnest(${ids}::int[], ${starts}::timestamp[]) n(id, start)
     where b.workspace_id = ${workspace} and b.id = ${base}`,
  );
  for (const [table, column] of COPIED_RELATIONS)
    await ctx.db.rows(
      sql`insert into ${sql.id(table)} (workspace_id, event_id, ${sql.id(column)})
       select l.workspace_id, n.id, l.${sql.id(column)} from ${sql.id(table)} l, unnest(${ids}::int[]) n(id)
       where l.workspace_id = ${workspace} and l.event_id = ${base}`,
    );
  if (ctx.callUsage) addChangedRecords(ctx.callUsage, 'calendar.event', ids.value as number[]);
  await copyAttendees(ctx, series, ids.value as number[]);
}

const COPIED_RELATIONS = [
  ['calendar_event_partner_rel', 'partner_id'],
  ['calendar_event_type_rel', 'type_id'],
  ['calendar_event_alarm_rel', 'alarm_id'],
] as const;

/** Copies attendees with their replies, because attendees replied to the whole recurrence. */
async function copyAttendees(ctx: Ctx, { base_event_id }: Series, events: number[]): Promise<void> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from calendar_attendee where workspace_id = ${ctx.workspace.id} and event_id = ${base_event_id}
     order by id`,
  );
  if (rows.length === 0) return;
  const ids = await allocateIds(ctx, 'calendar_attendee', rows.length * events.length);
  await ctx.db.rows(
    sql`insert into calendar_attendee (workspace_id, id, event_id, partner_id, state, invited, create_uid, write_uid)
     select a.workspace_id, n.id, n.event_id, a.partner_id, a.state, a.invited, a.create_uid, a.write_uid
     from calendar_attendee a,
       unnest(${ids}::int[], ${events.flatMap((event) => rows.map(() => event))}::int[],
         ${events.flatMap(() => rows.map(({ id }) => id))}::int[]) n(id, event_id, like_id)
     where a.workspace_id = ${ctx.workspace.id} and a.id = n.like_id`,
  );
}

/**
 * Deletes events of a recurrence without a notice for each, because attendees are notified about the recurrence as a
 * whole.
 * @throws ACCESS_ERROR
 */
export async function deleteSeriesEvents(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const model = getModel(ctx, 'calendar.event');
  assertModelAccess(ctx, model, 'unlink');
  await assertRowsExist(ctx, model, ids, 'unlink');
  await ctx.db.rows(
    sql`update calendar_event set recurrence_id = null, recurrency = false, invited_as = null
     where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
  await ctx.db.rows(
    sql`delete from calendar_attendee where workspace_id = ${ctx.workspace.id} and event_id = any(${ids})`,
  );
  await unlink(ctx.system(), 'calendar.event', ids);
}

/**
 * Makes the first event the base event, preferring events that follow the rule. Deletes a recurrence without events.
 */
export async function updateBaseEvent(ctx: Ctx, id: number): Promise<void> {
  const [first] = await ctx.db.rows<{ id: number }>(
    sql`select id from calendar_event where workspace_id = ${ctx.workspace.id} and recurrence_id = ${id}
     order by follow_recurrence desc, occurrence, id limit 1`,
  );
  if (first)
    await ctx.db.rows(
      sql`update calendar_recurrence set base_event_id = ${first.id}
       where workspace_id = ${ctx.workspace.id} and id = ${id} and base_event_id is distinct from ${first.id}`,
    );
  else
    await ctx.db.rows(
      sql`delete from calendar_recurrence where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
}

/** Ends the recurrence before an occurrence other than its first. @returns the number of occurrences before it */
export async function endSeriesBefore(ctx: Ctx, series: Series, occurrence: string): Promise<number> {
  const before = computeStarts(series).filter((start) => start < occurrence).length;
  const day = formatWallDay(parseWallTime(occurrence, series.event_tz) - DAY_MS);
  const end = series.end_type === 'count' ? { count: before } : { end_type: 'end_date' as const, until: day };
  await saveSeries(ctx, { ...series, ...end, base_event_id: series.base_event_id });
  return before;
}

export const shiftStarts = (
  starts: readonly string[],
  [from, to]: [string, string],
  delta: number,
): string[] => starts.map((start) => formatInstant(fromWallClock(parseWallTime(start, from) + delta, to)));
