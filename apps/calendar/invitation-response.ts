import { getLinkSubject } from '../../src/engine/identity/signed-link.ts';
import { type Ctx, defineOperation, defineTypedShape, errors, sql } from '../kit/surface.ts';
import { setAttendeeState } from './attendee.ts';
import { loadUnits } from './ics/load-events.ts';
import { formatEventTime } from './invite/invitation-mail.ts';
import { RESPONSE_LABELS, RESPONSE_LINK_KIND, type ResponseState } from './invite/response-link.ts';

const InvitationShape = defineTypedShape(
  'CalendarInvitation',
  'An event, as shown on the page that an invitation link opens.',
  {
    name: { type: 'String', description: 'Summary of the event.' },
    when: { type: 'String', description: "Date and time of the event, in the organizer's time zone." },
    organizer: { type: 'String', nullable: true, description: 'Name of the organizer.' },
    attendee: { type: 'String', description: 'Name of the attendee.' },
    state: {
      type: 'String',
      description: 'Current response: needsAction, accepted, tentative or declined.',
    },
  },
);

type InvitationView = Record<'name' | 'when' | 'attendee' | 'state', string> & { organizer: string | null };

export const calendarInvitation = defineOperation('calendarInvitation', {
  kind: 'query',
  effects: ['reads'],
  about: 'calendar.event',
  policy: { auth: ['LINK'], link: RESPONSE_LINK_KIND, scope: 'read' },
  description:
    'Returns the event that an invitation link belongs to, or null if the event has ended or was canceled.',
  args: () => ({}),
  type: InvitationShape.ref as object,
  nullable: true,
  run: (ctx) => loadInvitation(ctx),
});

export const calendarInvitationAnswer = defineOperation('calendarInvitationAnswer', {
  kind: 'mutation',
  effects: ['writes'],
  about: 'calendar.event',
  policy: { auth: ['LINK'], link: RESPONSE_LINK_KIND, scope: 'write', audit: 'calendar.answer' },
  description:
    'Responds to the invitation that a link belongs to. A response to a recurring event applies to all of ' +
    'its occurrences.',
  args: (arg) => ({
    answer: arg.string({ required: true, description: 'Response: accepted, tentative or declined.' }),
  }),
  type: InvitationShape.ref as object,
  nullable: true,
  run: (ctx, { answer }) =>
    ctx.tx(async (tx) => {
      if (!Object.hasOwn(RESPONSE_LABELS, answer))
        throw errors.badRequest('answer: must be accepted, tentative or declined.');
      if (!(await loadInvitation(tx))) return null;
      await setAttendeeState(tx, await findSeriesAttendees(tx, getAttendeeId(tx)), answer as ResponseState);
      return loadInvitation(tx);
    }),
});

const getAttendeeId = (ctx: Ctx): number => Number(getLinkSubject(ctx));

async function loadInvitation(ctx: Ctx): Promise<InvitationView | null> {
  const id = getAttendeeId(ctx);
  const [unit] = await loadUnits(
    ctx,
    sql`e.active and e.id = (select a.event_id from calendar_attendee a
       where a.workspace_id = ${ctx.workspace.id} and a.id = ${id})`,
  );
  const attendee = unit?.attendees.find((attendee) => attendee.id === id);
  if (!unit || !attendee || unit.isPast) return null;
  return {
    name: unit.ics.name,
    when: formatEventTime(unit.ics, unit.organizer_tz),
    organizer: unit.ics.organizer?.name ?? null,
    attendee: attendee.name,
    state: attendee.state,
  };
}

/**
 * Returns the attendee and, if the event belongs to a recurrence, the attendee records of the same person on the
 * recurrence's other events.
 */
export async function findSeriesAttendees(ctx: Ctx, id: number): Promise<number[]> {
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select o.id from calendar_attendee a
     join calendar_event e on e.workspace_id = ${workspace} and e.id = a.event_id
     join calendar_event s on s.workspace_id = ${workspace} and (s.id = e.id or (
       e.follow_recurrence and s.follow_recurrence and s.recurrence_id = e.recurrence_id))
     join calendar_attendee o on o.workspace_id = ${workspace} and o.event_id = s.id and o.partner_id = a.partner_id
     where a.workspace_id = ${workspace} and a.id = ${id}`,
  );
  return rows.map((row) => row.id);
}
