import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { formatInstant } from '../../../src/engine/value/instant.ts';
import { onReceivedMail } from '../../../src/engine/work/received.ts';
import { limits } from '../../../src/limits.ts';
import { attendeesOf } from '../answer.ts';
import { setState } from '../attendee.ts';
import type { ReadCalendar, ReadEvent } from '../ics/read-ics.ts';
import { readCalendarInThread } from '../ics/read-in-thread.ts';
import { ANSWERS, type AnswerState } from './answer-link.ts';

/** What somebody answers to an invitation. */
interface Reply {
  uid: string;
  revision: number;
  /** The occurrence it is about, in ms; null for all. */
  occurrence: number | null;
  email: string;
  state: AnswerState;
}

const TYPES = ['text/calendar', 'application/ics'];

// Answers come as calendars (RFC 5546, 3.2.3). They count for who is proved to have sent them, for itself alone.
onReceivedMail(async ({ from, isProved, types, content }, { workspace }) => {
  const type = TYPES.find((each) => types.includes(each));
  if (!type || !from || !isProved) return null;
  const bytes = await content(type, limits.calendar.replyBytes);
  const replies = bytes ? repliesOf(await calendarIn(bytes, workspace.id), from) : [];
  if (replies.length === 0) return null;
  return async (ctx) => {
    for (const reply of replies) await take(ctx, reply);
  };
});

/** null where it is no calendar. */
const calendarIn = (bytes: Buffer, workspaceId: number): Promise<ReadCalendar | null> =>
  readCalendarInThread(bytes.toString('utf8'), 'UTC', workspaceId).catch(() => null);

/** What a calendar answers for one of its attendees; nothing for any other calendar. Pure. */
export function repliesOf(calendar: ReadCalendar | null, from: string): Reply[] {
  return calendar?.method === 'REPLY'
    ? calendar.events.slice(0, limits.calendar.replyEvents).flatMap((event) => replyOf(event, from))
    : [];
}

function replyOf({ uid, revision, occurrence, attendees }: ReadEvent, from: string): Reply[] {
  const own = attendees.find(({ email }) => email === from);
  if (!own || !Object.hasOwn(ANSWERS, own.state)) return [];
  return [{ uid, revision, occurrence, email: from, state: own.state as AnswerState }];
}

/** An answer to what has been changed since does not count: it is asked for again. */
async function take(ctx: Ctx, { uid, revision, occurrence, email, state }: Reply): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const at = occurrence === null ? null : formatInstant(occurrence);
  const rows = await ctx.db.rows<{ id: number; occurrence: string | null }>(
    sql`select a.id, e.occurrence::timestamp(0)::text as occurrence from calendar_event e
     join calendar_attendee a on a.workspace_id = ${workspace} and a.event_id = e.id and a.invited
     join res_partner p on p.workspace_id = ${workspace} and p.id = a.partner_id and lower(p.email) = ${email}
     left join calendar_recurrence r on r.workspace_id = ${workspace} and r.id = e.recurrence_id
     where e.workspace_id = ${workspace} and e.uid = ${uid}
       and ${revision} >= case when r.id is null or not e.follow_recurrence then e.revision else r.revision end
       and (${at}::timestamp is null or e.occurrence = ${at}::timestamp
         or (e.allday and e.occurrence::date = ${at}::timestamp::date))
       and (${at}::timestamp is not null or e.recurrence_id is null or e.follow_recurrence)
     order by e.occurrence, e.id`,
  );
  const found = at === null ? await whole(ctx, rows) : rows.map(({ id }) => id);
  await setState(ctx, found, state);
}

/** An answer to a recurrence is for the events that are like it; others were asked about by themselves. */
async function whole(ctx: Ctx, rows: readonly { id: number }[]): Promise<number[]> {
  const found = new Set<number>();
  for (const { id } of rows)
    if (!found.has(id)) for (const other of await attendeesOf(ctx, id)) found.add(other);
  return [...found];
}
