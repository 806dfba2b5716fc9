import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../src/engine/operation/shape.ts';
import { formatInstant, toWallClock } from '../../src/engine/value/instant.ts';
import { create, unlink, write } from '../../src/engine/write/write.ts';
import { AppError, errors } from '../../src/errors.ts';
import { escapeHtml } from '../../src/escape-html.ts';
import { limits } from '../../src/limits.ts';
import { yieldToOthers } from '../../src/loop/yield.ts';
import type { ParsedEvent } from './ics/parse-ics.ts';
import { parseCalendarInThread } from './ics/parse-in-thread.ts';
import { computeOccurrences, parseRule } from './recurrence/rule.ts';

const MAX_IMPORT_BYTES = 1024 * 1024;
const MAX_IMPORT_EVENTS = 500;

const NotImportedShape = defineTypedShape(
  'CalendarEventNotImported',
  'An event in a file that was not imported.',
  {
    uid: { type: 'String', description: 'UID of the event in the file.' },
    reason: { type: 'String', description: 'Reason why the event was not imported.' },
  },
);

const ImportShape = defineTypedShape('CalendarImport', 'Result of importing events from a file.', {
  created: { type: 'Int', description: 'Number of events added. A recurrence counts once.' },
  known: { type: 'Int', description: 'Number of events skipped because you already have them.' },
  failed: { type: [NotImportedShape], description: 'Events that were not imported.' },
});

export const calendarImport = defineOperation('calendarImport', {
  effects: ['writes', 'sends'],
  address: 'calendar.event/import_ics',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Imports events from an iCalendar file (.ics) into your calendar. Attendees in the file are ignored, ' +
    'and no invitations are sent. Existing events with the same UID are not changed, so a file can be ' +
    'imported again.',
  args: (arg) => ({
    ics: arg.string({
      required: true,
      description: `Content of the file, with up to ${MAX_IMPORT_EVENTS} events.`,
    }),
  }),
  type: ImportShape.ref as object,
  run: (ctx, { ics }) => importCalendar(ctx, ics),
});

async function importCalendar(ctx: Ctx, ics: string) {
  if (Buffer.byteLength(ics) > MAX_IMPORT_BYTES)
    throw errors.badRequest(`ics: must be at most ${MAX_IMPORT_BYTES} bytes.`);
  const { events } = await parseCalendarInThread(ics, ctx.principal!.tz, ctx.workspace.id);
  if (events.length > MAX_IMPORT_EVENTS)
    throw errors.badRequest(`ics: must contain at most ${MAX_IMPORT_EVENTS} events.`);
  const eventsByUid = Map.groupBy(
    events.filter(({ cancelled }) => !cancelled),
    ({ uid }) => uid,
  );
  const knownUids = await findKnownUids(ctx, [...eventsByUid.keys()]);
  const failed: { uid: string; reason: string }[] = [];
  let createdCount = 0;
  let remaining = limits.calendar.importOccurrences;
  let isFull = false;
  for (const [uid, parts] of eventsByUid) {
    if (knownUids.has(uid)) continue;
    const pause = yieldToOthers();
    if (pause) await pause;
    try {
      const isRecurring = parts.some(({ rule }) => rule !== null);
      // Once the limit is reached, recurrences are rejected without counting their occurrences, which can take seconds.
      const count: number =
        isRecurring && isFull ? Number.POSITIVE_INFINITY : countOccurrences(parts, remaining + 1);
      isFull ||= count > remaining;
      if (count > remaining)
        throw errors.badRequest(
          'The file has too many occurrences for one import. Import it again to add the remaining events.',
        );
      await ctx.tx((tx) => importEvent(tx, parts));
      remaining -= count;
      createdCount++;
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      failed.push({ uid, reason: error.message });
    }
  }
  return { created: createdCount, known: knownUids.size, failed };
}

async function findKnownUids(ctx: Ctx, uids: string[]): Promise<Set<string>> {
  const rows = await ctx.db.rows<{ uid: string }>(
    sql`select distinct uid from calendar_event where workspace_id = ${ctx.workspace.id} and uid = any(${uids})
       and user_id = ${ctx.principal!.userId}`,
  );
  return new Set(rows.map(({ uid }) => uid));
}

/** Counts the occurrences of an event, up to `maxCount`. @throws VALIDATION if the rule is not supported */
function countOccurrences(events: readonly ParsedEvent[], maxCount: number): number {
  const main = events.find(({ occurrence }) => occurrence === null);
  if (!main?.times || !main.rule) return 1;
  const { start, tz } = main.times;
  const wallTime = toWallClock(start, tz);
  const rule = parseRule(main.rule, wallTime, tz);
  return computeOccurrences(rule, wallTime, Math.min(maxCount, limits.calendar.occurrences)).length;
}

async function importEvent(ctx: Ctx, events: readonly ParsedEvent[]): Promise<void> {
  const main = events.find(({ occurrence }) => occurrence === null);
  if (!main?.times) throw errors.badRequest('The event must have a start (DTSTART).');
  const { uid, rule, left_out } = main;
  const [id] = await create(ctx, 'calendar.event', [
    {
      ...toValues(main),
      partner_ids: ctx.principal!.partnerId ? [[6, 0, [ctx.principal!.partnerId]]] : [],
      event_tz: main.times.tz,
      ...(rule && { recurrency: true, rrule: rule }),
    },
  ]);
  await setUids(ctx, id!, uid);
  for (const event of events) {
    if (event.occurrence === null || !event.times) continue;
    const occurrences = await findOccurrencesAt(ctx, id!, [event.occurrence]);
    if (occurrences.length > 0) await write(ctx, 'calendar.event', occurrences, toValues(event));
  }
  // The recurrence is found through its first event, which may be excluded too.
  const excludedIds = await findOccurrencesAt(ctx, id!, left_out);
  if (excludedIds.length > 0) await unlink(ctx, 'calendar.event', excludedIds);
}

/** Stores the UID from the file, so that later imports recognize the events. */
async function setUids(ctx: Ctx, id: number, uid: string): Promise<void> {
  const workspace = ctx.workspace.id;
  await ctx.db.rows(
    sql`update calendar_recurrence r set uid = ${uid} from calendar_event e
     where r.workspace_id = ${workspace} and e.workspace_id = ${workspace} and e.id = ${id}
       and r.id = e.recurrence_id`,
  );
  await ctx.db.rows(
    sql`update calendar_event e set uid = ${uid} where e.workspace_id = ${workspace} and (e.id = ${id}
       or e.recurrence_id = (select m.recurrence_id from calendar_event m
         where m.workspace_id = ${workspace} and m.id = ${id}))`,
  );
}

function toValues({ times, name, description, location, url, privacy, show_as }: ParsedEvent): Values {
  const { start, stop, allday } = times!;
  return {
    name,
    description: description && `<p>${escapeHtml(description).replace(/\r?\n/g, '<br>')}</p>`,
    location: location ?? false,
    videocall_location: url ?? false,
    privacy,
    show_as,
    allday,
    ...(allday
      ? { start_date: formatInstant(start).slice(0, 10), stop_date: formatInstant(stop).slice(0, 10) }
      : { start: formatInstant(start), stop: formatInstant(stop) }),
  };
}

/** Finds the events of a recurrence by their original start times. All-day events match by date. */
async function findOccurrencesAt(ctx: Ctx, id: number, times: readonly number[]): Promise<number[]> {
  if (times.length === 0) return [];
  const instants = times.map(formatInstant);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select e.id from calendar_event e
     where e.workspace_id = ${ctx.workspace.id} and e.recurrence_id = (
         select m.recurrence_id from calendar_event m where m.workspace_id = ${ctx.workspace.id} and m.id = ${id})
       and (e.occurrence = any(${instants}::timestamp[])
         or (e.allday and e.occurrence::date = any(${instants}::timestamp[]::date[])))`,
  );
  return rows.map((row) => row.id);
}
