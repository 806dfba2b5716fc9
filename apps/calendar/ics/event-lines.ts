import { fromWallClock, parseTimestamp } from '../../../src/engine/value/instant.ts';
import { formatRule, type RecurrenceRule } from '../recurrence/rule.ts';
import { DAY_MS, parseWallTime } from '../wall-time.ts';
import { escapeIcsText, renderLine } from './line.ts';
import { formatStamp, renderZone } from './zone-lines.ts';

/** An event to export as iCalendar. Times are formatted like datetime fields. */
export interface IcsEvent {
  uid: string;
  revision: number;
  name: string;
  /** Plain text. */
  description: string;
  location: string | null;
  url: string | null;
  privacy: string;
  show_as: string;
  allday: boolean;
  start: string;
  stop: string;
  /** The recurrence's time zone. */
  tz: string;
  /** Original start of an occurrence that was changed individually. */
  occurrence: string | null;
  /** True if the occurrence belongs to an all-day recurrence, even if it was changed to have a time. */
  isDayOccurrence: boolean;
  rule: RecurrenceRule | null;
  left_out: readonly string[];
  /** Time of the last write. */
  changed: string;
  organizer: Participant | null;
  attendees: readonly (Participant & { state: string })[];
}

export interface Participant {
  name: string;
  email: string;
}

/** Renders a calendar: a scheduling message (RFC 5546) if `method` is set, otherwise a plain calendar. */
export function renderCalendar(
  events: readonly IcsEvent[],
  method: string | null,
  isCancelled = false,
): string {
  return [
    renderCalendarHead(method),
    ...collectZones(events).map(([tz, from, end]) => renderZone(tz, from, end)),
    ...events.map((event) => renderEvent(event, method !== null, isCancelled)),
    'END:VCALENDAR\r\n',
  ].join('');
}

export const renderCalendarHead = (method: string | null): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Atrium//Calendar//EN\r\nCALSCALE:GREGORIAN\r\n${
    method ? `METHOD:${method}\r\n` : ''
  }`;

/** Returns true if the event's times are written in local time, which recurrences require. Other times are in UTC. */
const isLocal = ({ rule, occurrence, allday, tz }: IcsEvent): boolean =>
  !allday && tz !== 'UTC' && (rule !== null || occurrence !== null);

/** Describes the time zone of a recurrence up to this long after today or a later start. */
const MAX_AHEAD_MS = 10 * 366 * DAY_MS;

/** Time zones are described only within this range. Earlier and later times use the nearest described offset. */
const [MIN_TIME_MS, MAX_TIME_MS] = [Date.UTC(1970, 0), Date.UTC(2100, 0)];

const clampTime = (time: number): number => Math.min(Math.max(time, MIN_TIME_MS), MAX_TIME_MS);

/** Names the time zones that the events use. */
export const collectZoneNames = (events: readonly IcsEvent[]): string[] => [
  ...new Set(events.filter(isLocal).map(({ tz }) => tz)),
];

/** Describes a time zone for events at any time. */
export const renderWholeZone = (tz: string): string => renderZone(tz, MIN_TIME_MS, MAX_TIME_MS);

/** Returns each time zone that the events use, with the start and end of the range to describe. */
function collectZones(events: readonly IcsEvent[]): [string, number, number][] {
  const local = Map.groupBy(events.filter(isLocal), ({ tz }) => tz);
  return [...local].map(([tz, events]) => {
    const starts = events.map(({ start }) => parseTimestamp(start));
    return [tz, clampTime(Math.min(...starts)), clampTime(Math.max(Date.now(), ...starts) + MAX_AHEAD_MS)];
  });
}

/** @param requestsReply true to ask attendees for a reply (RSVP) */
export function renderEvent(event: IcsEvent, requestsReply: boolean, isCancelled = false): string {
  const { organizer } = event;
  return [
    'BEGIN:VEVENT\r\n',
    renderLine('UID', event.uid),
    renderLine('DTSTAMP', formatUtc(event.changed)),
    renderLine('LAST-MODIFIED', formatUtc(event.changed)),
    renderLine('SEQUENCE', String(event.revision)),
    ...renderTimes(event),
    renderLine('SUMMARY', escapeIcsText(event.name)),
    event.description ? renderLine('DESCRIPTION', escapeIcsText(event.description)) : '',
    event.location ? renderLine('LOCATION', escapeIcsText(event.location)) : '',
    event.url && isAddress(event.url) ? renderLine('URL', event.url) : '',
    renderLine('CLASS', event.privacy.toUpperCase()),
    renderLine('TRANSP', event.show_as === 'free' ? 'TRANSPARENT' : 'OPAQUE'),
    renderLine('STATUS', isCancelled ? 'CANCELLED' : 'CONFIRMED'),
    organizer ? renderLine('ORGANIZER', `mailto:${organizer.email}`, { CN: organizer.name }) : '',
    ...event.attendees.map((attendee) =>
      renderAttendee(attendee, requestsReply && attendee.email !== organizer?.email),
    ),
    'END:VEVENT\r\n',
  ].join('');
}

const isAddress = (url: string): boolean => URL.canParse(url) && /^[\x21-\x7e]+$/.test(url);

const formatUtc = (text: string): string => `${formatStamp(parseTimestamp(text))}Z`;

const formatDay = (text: string, days = 0): string =>
  formatStamp(parseTimestamp(text.slice(0, 10)) + days * DAY_MS).slice(0, 8);

function renderTimes(event: IcsEvent): string[] {
  const { allday, start, stop, tz, occurrence, rule, left_out } = event;
  const addLine = (name: string, text: string, isDay = allday): string => {
    if (isDay) return renderLine(name, formatDay(text), { VALUE: 'DATE' });
    return isLocal(event)
      ? renderLine(name, formatStamp(parseWallTime(text, tz)), { TZID: tz })
      : renderLine(name, formatUtc(text));
  };
  // DTEND of an all-day event is exclusive.
  const end = allday ? renderLine('DTEND', formatDay(stop, 1), { VALUE: 'DATE' }) : addLine('DTEND', stop);
  const formatUntil = (last: string): string =>
    allday ? formatDay(last) : `${formatStamp(fromWallClock(parseTimestamp(last) + DAY_MS - 1000, tz))}Z`;
  return [
    addLine('DTSTART', start),
    end,
    rule ? renderLine('RRULE', formatRule(rule, formatUntil)) : '',
    ...(rule ? left_out.map((item) => addLine('EXDATE', item)) : []),
    occurrence && !rule ? addLine('RECURRENCE-ID', occurrence, event.isDayOccurrence) : '',
  ];
}

const PARTSTAT: Record<string, string> = {
  needsAction: 'NEEDS-ACTION',
  tentative: 'TENTATIVE',
  declined: 'DECLINED',
  accepted: 'ACCEPTED',
};

const renderAttendee = (
  { name, email, state }: Participant & { state: string },
  requestsReply: boolean,
): string =>
  renderLine('ATTENDEE', `mailto:${email}`, {
    CUTYPE: 'INDIVIDUAL',
    ROLE: 'REQ-PARTICIPANT',
    PARTSTAT: PARTSTAT[state] ?? 'NEEDS-ACTION',
    ...(requestsReply && { RSVP: 'TRUE' }),
    CN: name,
  });
