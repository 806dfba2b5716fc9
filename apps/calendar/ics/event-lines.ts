import { parseTimestamp } from '../../../src/engine/value/instant.ts';
import { type RecurrenceRule, ruleText } from '../recurrence/rule.ts';
import { DAY, instantAt, wallOf } from '../wall.ts';
import { icsText, line } from './line.ts';
import { stamp, zoneLines } from './zone-lines.ts';

/** An event as other calendars are to have it. Times are written as datetime fields are. */
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
  /** The zone on whose clock it repeats. */
  tz: string;
  /** Of one that was changed by itself: when its recurrence has it begin. */
  occurrence: string | null;
  rule: RecurrenceRule | null;
  /** Occurrences that there are not. */
  left_out: readonly string[];
  /** When it was written last. */
  changed: string;
  organizer: Participant | null;
  attendees: readonly (Participant & { state: string })[];
}

export interface Participant {
  name: string;
  email: string;
}

/** A calendar of one kind of message (RFC 5546), or without `method` one to be read. Pure. */
export function calendarText(events: readonly IcsEvent[], method: string | null, cancelled = false): string {
  return [
    calendarHead(method),
    ...zonesOf(events).map(([tz, from, until]) => zoneLines(tz, from, until)),
    ...events.map((event) => eventLines(event, method !== null, cancelled)),
    'END:VCALENDAR\r\n',
  ].join('');
}

/** How a calendar begins. Pure. */
export const calendarHead = (method: string | null): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Atrium//Calendar//EN\r\nCALSCALE:GREGORIAN\r\n${
    method ? `METHOD:${method}\r\n` : ''
  }`;

/** Recurrences are said on the clock of their zone; a single time needs none. */
const isLocal = ({ rule, occurrence, allday, tz }: IcsEvent): boolean =>
  !allday && tz !== 'UTC' && (rule !== null || occurrence !== null);

/** For how long a recurrence without an end is described. */
const AHEAD = 10 * 366 * DAY;

/** Zones are described in these years alone: before and after, clocks are as at their ends. */
const [FIRST, LAST] = [Date.UTC(1970, 0), Date.UTC(2100, 0)];

const within = (time: number): number => Math.min(Math.max(time, FIRST), LAST);

/** The zones that events name, each with the span of their times. Pure. */
export function zonesOf(events: readonly IcsEvent[]): [string, number, number][] {
  const local = Map.groupBy(events.filter(isLocal), ({ tz }) => tz);
  return [...local].map(([tz, its]) => {
    const starts = its.map(({ start }) => parseTimestamp(start));
    const ends = its.map(({ rule, start }) => parseTimestamp(start) + (rule ? AHEAD : 0));
    return [tz, within(Math.min(...starts)), within(Math.max(...ends))];
  });
}

/** Pure. @param asks whether attendees are asked to answer */
export function eventLines(event: IcsEvent, asks: boolean, cancelled = false): string {
  const { organizer } = event;
  return [
    'BEGIN:VEVENT\r\n',
    line('UID', event.uid),
    line('DTSTAMP', utc(event.changed)),
    line('LAST-MODIFIED', utc(event.changed)),
    line('SEQUENCE', String(event.revision)),
    ...timeLines(event),
    line('SUMMARY', icsText(event.name)),
    event.description ? line('DESCRIPTION', icsText(event.description)) : '',
    event.location ? line('LOCATION', icsText(event.location)) : '',
    event.url && isAddress(event.url) ? line('URL', event.url) : '',
    line('CLASS', event.privacy.toUpperCase()),
    line('TRANSP', event.show_as === 'free' ? 'TRANSPARENT' : 'OPAQUE'),
    line('STATUS', cancelled ? 'CANCELLED' : 'CONFIRMED'),
    organizer ? line('ORGANIZER', `mailto:${organizer.email}`, { CN: organizer.name }) : '',
    ...event.attendees.map((attendee) => attendeeLine(attendee, asks && attendee.email !== organizer?.email)),
    'END:VEVENT\r\n',
  ].join('');
}

const isAddress = (url: string): boolean => URL.canParse(url) && /^[\x21-\x7e]+$/.test(url);

const utc = (text: string): string => `${stamp(parseTimestamp(text))}Z`;

const day = (text: string, days = 0): string =>
  stamp(parseTimestamp(text.slice(0, 10)) + days * DAY).slice(0, 8);

function timeLines(event: IcsEvent): string[] {
  const { allday, start, stop, tz, occurrence, rule, left_out } = event;
  const at = (name: string, text: string): string => {
    if (allday) return line(name, day(text), { VALUE: 'DATE' });
    return isLocal(event) ? line(name, stamp(wallOf(text, tz)), { TZID: tz }) : line(name, utc(text));
  };
  // The day behind the last one.
  const end = allday ? line('DTEND', day(stop, 1), { VALUE: 'DATE' }) : at('DTEND', stop);
  const until = (last: string): string =>
    allday ? day(last) : `${stamp(instantAt(parseTimestamp(last) + DAY - 1000, tz))}Z`;
  return [
    at('DTSTART', start),
    end,
    rule ? line('RRULE', ruleText(rule, until)) : '',
    ...(rule ? left_out.map((each) => at('EXDATE', each)) : []),
    occurrence && !rule ? at('RECURRENCE-ID', occurrence) : '',
  ];
}

const STATES: Record<string, string> = {
  needsAction: 'NEEDS-ACTION',
  tentative: 'TENTATIVE',
  declined: 'DECLINED',
  accepted: 'ACCEPTED',
};

const attendeeLine = ({ name, email, state }: Participant & { state: string }, asks: boolean): string =>
  line('ATTENDEE', `mailto:${email}`, {
    CUTYPE: 'INDIVIDUAL',
    ROLE: 'REQ-PARTICIPANT',
    PARTSTAT: STATES[state] ?? 'NEEDS-ACTION',
    ...(asks && { RSVP: 'TRUE' }),
    CN: name,
  });
