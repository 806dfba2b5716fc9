import { getModel } from '../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../src/engine/access/row-access.ts';
import { excludeIds } from '../../src/engine/value/exclude-ids.ts';
import { type Ctx, errors, isSet, setHookValues, sql, type Values } from '../kit/surface.ts';
import { resetResponses, syncAttendees } from './attendee-sync.ts';
import { computeTimes, type EventTimes, TIME_FIELDS } from './event-times.ts';
import { inviteAttendees } from './invite/invite.ts';
import { checkOrganizer } from './organizer.ts';
import { changeSeries, type OccurrenceEvent } from './recurrence/change-series.ts';
import { hasRule } from './recurrence/rule-values.ts';
import { updateBaseEvent } from './recurrence/series.ts';
import { checkRecurrenceCount, startRecurrence } from './recurrence/start-recurrence.ts';
import { scheduleReminders } from './reminder.ts';

const CONTENT_FIELDS = [
  ...[
    'name',
    'description',
    'location',
    'videocall_location',
    'privacy',
    'show_as',
    'user_id',
    'partner_ids',
  ],
  ...['categ_ids', 'alarm_ids', 'active', 'event_tz'],
];

interface EventChange {
  retimed: number[];
  series: number[];
}

const pendingChanges = new WeakMap<Values, EventChange>();

type EventRow = EventTimes & OccurrenceEvent & { user_id: number | null };

/**
 * Runs before events are written. Completes the times and applies a change to a recurrence to all affected events,
 * whose ids it adds to `ids`.
 * @throws USER_ERROR if the events do not all belong to the recurrence, FORBIDDEN if the caller may not change the
 * organizer
 */
export async function prepareEventChange(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const rows = await ctx.db.rows<EventRow>(
    sql`select e.id, e.start::timestamp(0)::text as start, e.stop::timestamp(0)::text as stop, e.allday, e.event_tz,
       e.user_id, e.recurrence_id, e.follow_recurrence, e.occurrence::timestamp(0)::text as occurrence
     from calendar_event e
     where e.workspace_id = ${ctx.workspace.id} and e.id = any(${ids}) order by e.id for update`,
  );
  for (const row of rows) checkOrganizer(ctx, values.user_id, row.user_id);
  const series = [...new Set(rows.flatMap((row) => row.recurrence_id ?? []))];
  const scope = parseScope(values);
  if (scope !== 'self_only' && series.length > 0) {
    if (series.length > 1 || rows.some((row) => row.recurrence_id === null))
      throw errors.user(
        'The events must all belong to the same recurrence. Change one recurrence at a time.',
      );
    const event = rows.find(({ id }) => id === ids[0])!;
    const change = await changeSeries(ctx, event, values, scope);
    await addOtherEvents(ctx, ids, change.events);
    pendingChanges.set(values, { retimed: change.isRetimed ? change.events : [], series: change.series });
    return;
  }
  if (series.length > 0 && (hasRule(values) || values.recurrency === false))
    throw errors.user('To change how events repeat, set recurrence_update to future_events or all_events.');
  const retimed = await setTimes(ctx, values, rows);
  if (series.length > 0 && (retimed.length > 0 || CONTENT_FIELDS.some((name) => name in values)))
    setHookValues(values, { follow_recurrence: false });
  pendingChanges.set(values, { retimed, series });
}

/** Returns true for a change of several occurrences that may leave out some of them, such as a move past the end. */
export const mayDeleteOccurrences = (values: Values): boolean =>
  isSet(values.recurrence_update) &&
  values.recurrence_update !== 'self_only' &&
  (hasRule(values) || SCHEDULE_FIELDS.some((name) => values[name] !== undefined));

const SCHEDULE_FIELDS = [...TIME_FIELDS, 'event_tz', 'recurrency'];

function parseScope({ recurrence_update: scope }: Values): 'self_only' | 'future_events' | 'all_events' {
  if (scope === undefined || scope === false || scope === null) return 'self_only';
  if (scope === 'self_only' || scope === 'future_events' || scope === 'all_events') return scope;
  throw errors.wrongValue('calendar.event', 'recurrence_update', scope);
}

async function addOtherEvents(ctx: Ctx, ids: number[], events: readonly number[]): Promise<void> {
  const otherIds = excludeIds(events, ids);
  await assertRowsExist(ctx, getModel(ctx, 'calendar.event'), otherIds, 'write');
  ids.push(...otherIds);
}

/**
 * Moves each event and keeps its duration, so the new times can differ between events.
 * @returns the events with new times
 */
async function setTimes(ctx: Ctx, values: Values, rows: readonly EventRow[]): Promise<number[]> {
  const movedEvents = rows.flatMap((row) => {
    const times = computeTimes(values, row);
    const isSame = !times || (times.start === row.start && times.stop === row.stop);
    return times ? [{ id: row.id, times, isSame }] : [];
  });
  if (movedEvents.length === 0) return [];
  for (const name of TIME_FIELDS) delete values[name];
  if (movedEvents.length === 1) Object.assign(values, movedEvents[0]!.times);
  else
    await ctx.db.rows(
      sql`update calendar_event e set start = m.start, stop = m.stop, allday = m.allday
       from unnest(${movedEvents.map(({ id }) => id)}::int[],
         ${movedEvents.map(({ times }) => times.start)}::timestamp[],
         ${movedEvents.map(({ times }) => times.stop)}::timestamp[],
         ${movedEvents.map(({ times }) => times.allday)}::boolean[])
         m(id, start, stop, allday)
       where e.workspace_id = ${ctx.workspace.id} and e.id = m.id`,
    );
  return movedEvents.flatMap(({ id, isSame }) => (isSame ? [] : [id]));
}

export async function applyChangeEffects(ctx: Ctx, ids: number[], values: Values): Promise<void> {
  const { retimed, series } = pendingChanges.get(values) ?? { retimed: [], series: [] };
  const removedAttendees = 'partner_ids' in values ? await syncAttendees(ctx, ids) : [];
  if (values.recurrency === true && series.length === 0) {
    checkRecurrenceCount(ids.length);
    for (const id of ids) await startRecurrence(ctx, id, values);
  }
  if (retimed.length > 0) await resetResponses(ctx, retimed);
  for (const id of series) await updateBaseEvent(ctx, id);
  await scheduleReminders(ctx, ids);
  await inviteAttendees(ctx, ids, { series, removedAttendees });
}
