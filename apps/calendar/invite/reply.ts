import { onReceivedMail } from '../../../src/engine/work/received-mail.ts';
import { type Ctx, formatInstant, sql } from '../../kit/surface.ts';
import { setAttendeeState } from '../attendee.ts';
import type { ParsedCalendar, ParsedEvent } from '../ics/parse-ics.ts';
import { parseCalendarInThread } from '../ics/parse-in-thread.ts';
import { findSeriesAttendees } from '../invitation-response.ts';
import { RESPONSE_LABELS, type ResponseState } from './response-link.ts';

const MAX_REPLY_BYTES = 256 * 1024;
const MAX_REPLY_EVENTS = 20;

interface InvitationReply {
  uid: string;
  revision: number;
  /** Start of the occurrence in ms. Null for all occurrences. */
  occurrence: number | null;
  email: string;
  state: ResponseState;
}

const CALENDAR_TYPES = ['text/calendar', 'application/ics'];

// Replies arrive as calendars (RFC 5546, 3.2.3). A reply counts only if the sender is authenticated, and only for the
// sender's own attendance.
onReceivedMail(async ({ from, isProved, types, content }, { workspace }) => {
  const type = CALENDAR_TYPES.find((calendarType) => types.includes(calendarType));
  if (!type || !from || !isProved) return null;
  const bytes = await content(type, MAX_REPLY_BYTES);
  const replies = bytes ? extractReplies(await parseCalendarOrNull(bytes, workspace.id), from) : [];
  if (replies.length === 0) return null;
  return async (ctx) => {
    for (const reply of replies) await applyReply(ctx, reply);
  };
});

const parseCalendarOrNull = (bytes: Buffer, workspaceId: number): Promise<ParsedCalendar | null> =>
  parseCalendarInThread(bytes.toString('utf8'), 'UTC', workspaceId).catch(() => null);

/** Returns the sender's replies in a calendar. Empty unless the calendar's method is REPLY. */
export function extractReplies(calendar: ParsedCalendar | null, from: string): InvitationReply[] {
  return calendar?.method === 'REPLY'
    ? calendar.events.slice(0, MAX_REPLY_EVENTS).flatMap((event) => extractReply(event, from))
    : [];
}

function extractReply(
  { uid, revision, occurrence, attendees }: ParsedEvent,
  from: string,
): InvitationReply[] {
  const attendee = attendees.find(({ email }) => email === from);
  if (!attendee || !Object.hasOwn(RESPONSE_LABELS, attendee.state)) return [];
  return [{ uid, revision, occurrence, email: from, state: attendee.state as ResponseState }];
}

/**
 * Applies a reply. Ignores a reply to an outdated revision, because the attendee has since received a new invitation.
 */
async function applyReply(
  ctx: Ctx,
  { uid, revision, occurrence, email, state }: InvitationReply,
): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const occurrenceTime = occurrence === null ? null : formatInstant(occurrence);
  const rows = await ctx.db.rows<{ id: number; occurrence: string | null }>(
    sql`select a.id, e.occurrence::timestamp(0)::text as occurrence from calendar_event e
     join calendar_attendee a on a.workspace_id = ${workspace} and a.event_id = e.id and a.invited
     join res_partner p on p.workspace_id = ${workspace} and p.id = a.partner_id and lower(p.email) = ${email}
     left join calendar_recurrence r on r.workspace_id = ${workspace} and r.id = e.recurrence_id
     where e.workspace_id = ${workspace} and e.uid = ${uid}
       and ${revision} >= case when r.id is null or not e.follow_recurrence then e.revision else r.revision end
       and (${occurrenceTime}::timestamp is null or e.occurrence = ${occurrenceTime}::timestamp
         or (r.allday and e.occurrence::date = ${occurrenceTime}::timestamp::date))
       and (${occurrenceTime}::timestamp is not null or e.recurrence_id is null or e.follow_recurrence)
     order by e.occurrence, e.id`,
  );
  const eventIds = occurrenceTime === null ? await expandToSeries(ctx, rows) : rows.map(({ id }) => id);
  await setAttendeeState(ctx, eventIds, state);
}

/**
 * Adds the person's attendee records from all events that follow the recurrence's rule. Individually changed
 * occurrences have separate invitations.
 */
async function expandToSeries(ctx: Ctx, rows: readonly { id: number }[]): Promise<number[]> {
  const eventIds = new Set<number>();
  for (const { id } of rows)
    if (!eventIds.has(id)) for (const other of await findSeriesAttendees(ctx, id)) eventIds.add(other);
  return [...eventIds];
}
