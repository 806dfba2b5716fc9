import { fromWallClock, resolveZoneName } from '../../../src/engine/value/instant.ts';
import { limits } from '../../../src/limits.ts';
import { type Ctx, errors, formatInstant, parseTimestamp, sql, type Values } from '../../kit/surface.ts';
import { parseWallTime } from '../wall-time.ts';
import { computeOccurrences, type RecurrenceRule } from './rule.ts';
import { buildRule } from './rule-values.ts';
import { addSeries, type Series, syncOccurrences } from './series.ts';

const MAX_RECURRENCES_PER_CALL = 20;

/**
 * Returns the time zone of an event's recurrence. All-day events use UTC, because their dates are the same everywhere.
 * @throws VALIDATION if the zone is unknown
 */
export function getEventZone({ allday, event_tz }: { allday: boolean; event_tz: string | null }): string {
  if (allday) return 'UTC';
  const tz = event_tz ?? 'UTC';
  if (resolveZoneName(tz) === null) throw errors.validation(`Unknown time zone ${JSON.stringify(tz)}.`);
  return tz;
}

export function checkRecurrenceCount(recurrences: number): void {
  if (recurrences > MAX_RECURRENCES_PER_CALL)
    throw errors.user(`At most ${MAX_RECURRENCES_PER_CALL} recurrences can be created at a time.`);
}

/**
 * Makes an event recur according to the rule in `values`.
 * @throws VALIDATION if the rule has no occurrences
 */
export async function startRecurrence(ctx: Ctx, id: number, values: Values): Promise<void> {
  const [event] = await ctx.db.rows<RepeatedEvent>(
    sql`select start::timestamp(0)::text as start, stop::timestamp(0)::text as stop, allday, event_tz, uid
     from calendar_event where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  const tz = getEventZone(event!);
  const wallTime = parseWallTime(event!.start, tz);
  const { uid, allday } = event!;
  const rule = buildRule(values, { wallTime, tz, allday });
  const dtstart = computeFirstOccurrence(rule, wallTime, tz);
  const length = parseTimestamp(event!.stop) - parseTimestamp(event!.start);
  if (dtstart !== event!.start)
    await ctx.db.rows(
      sql`update calendar_event set start = ${dtstart}::timestamp,
         stop = ${dtstart}::timestamp + make_interval(secs => ${length / 1000})
       where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
  const series: Omit<Series, 'id'> = {
    ...rule,
    ...{ base_event_id: id, event_tz: tz, dtstart, allday, left_out: [], uid },
    reach: limits.calendar.occurrences,
  };
  await syncOccurrences(ctx, { ...series, id: await addSeries(ctx, series) }, length, false);
}

interface RepeatedEvent {
  start: string;
  stop: string;
  allday: boolean;
  event_tz: string | null;
  uid: string;
}

export function computeFirstOccurrence(rule: RecurrenceRule, wallTime: number, tz: string): string {
  const [first] = computeOccurrences(rule, wallTime, 1);
  if (first === undefined)
    throw errors.validation('The recurrence has no occurrences. Select other days or a later end date.');
  return formatInstant(fromWallClock(first, tz));
}
