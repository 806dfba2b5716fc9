import ical from 'ical.js';
import { parseTimestamp, resolveZoneName } from '../../../src/engine/value/instant.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { extractAddress } from '../../../src/mail/address.ts';
import { FIRST_YEAR, LAST_YEAR } from '../event-times.ts';
import { instantAt } from '../wall.ts';

/** A calendar that somebody else wrote. */
export interface ReadCalendar {
  /** In capitals; null for one that is no message. */
  method: string | null;
  events: ReadEvent[];
}

export interface ReadEvent {
  uid: string;
  revision: number;
  name: string;
  description: string;
  location: string | null;
  url: string | null;
  privacy: 'public' | 'private' | 'confidential';
  show_as: 'free' | 'busy';
  cancelled: boolean;
  /** null for one without a time that could be read. */
  times: ReadTimes | null;
  /** The occurrence of a recurrence that it is about, as an instant in ms; of one of whole days, its midnight. */
  occurrence: number | null;
  /** As it was written. */
  rule: string | null;
  left_out: number[];
  attendees: { email: string; state: string }[];
}

interface ReadTimes {
  /** Milliseconds. */
  start: number;
  stop: number;
  allday: boolean;
  /** The zone that the calendar names, where it is known here. */
  tz: string;
}

/**
 * Reads a calendar file. Components that are no events are left out, and so is what is not understood of an event.
 * @param tz the zone of times that name none
 * @throws BAD_REQUEST for what is no calendar, or a larger one than may be
 */
export function readCalendar(text: string, tz: string): ReadCalendar {
  const root = parsed(text);
  const zones = zonesIn(root);
  const events = root.getAllSubcomponents('vevent');
  return {
    method: textOf(root, 'method')?.toUpperCase() ?? null,
    events: events.flatMap((each) => readEvent({ component: each, zones, tz }) ?? []),
  };
}

type Component = InstanceType<typeof ical.Component>;
type Property = InstanceType<typeof ical.Property>;
type Time = InstanceType<typeof ical.Time>;

function parsed(text: string): Component {
  checkSize(text);
  try {
    const found = ical.parse(text.replace(/^\ufeff/, '').trim());
    const first = Array.isArray(found[0]) ? found[0] : found;
    const root = new ical.Component(first);
    if (root.name === 'vcalendar') return root;
  } catch {
    // Said below.
  }
  throw errors.badRequest('This is not a calendar in the format of RFC 5545.');
}

/**
 * The library takes time by the square of the parameters of a property, and each time is looked up in its zone.
 * @throws BAD_REQUEST
 */
function checkSize(text: string): void {
  const lines = text.replace(/\r?\n[ \t]/g, '').split('\n');
  if (lines.length > limits.calendar.properties)
    throw errors.badRequest(`A calendar has at most ${limits.calendar.properties} properties.`);
  if (lines.some((line) => (line.match(/;[\w-]+=/g)?.length ?? 0) > limits.calendar.parameters))
    throw errors.badRequest(`A property of a calendar has at most ${limits.calendar.parameters} parameters.`);
  const times = lines
    .filter((line) => TIME.test(line))
    .reduce((sum, line) => sum + line.split(',').length, 0);
  if (times > limits.calendar.times)
    throw errors.badRequest(`A calendar has at most ${limits.calendar.times} times.`);
}

const TIME = /^(?:DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)[;:]/i;

/** Names that the calendar gives to zones, and the zones they are here: Windows has names of its own. */
function zonesIn(root: Component): Map<string, string> {
  const zones = new Map<string, string>();
  for (const zone of root.getAllSubcomponents('vtimezone')) {
    const name = textOf(zone, 'tzid');
    const known = name && (knownZone(name) ?? knownZone(textOf(zone, 'x-lic-location') ?? ''));
    if (name && known) zones.set(name, known);
  }
  return zones;
}

const knownZone = (name: string): string | null => {
  if (name.length > LONGEST_ZONE) return null;
  // Some write a path before the name: /freeassociation.sourceforge.net/Europe/Paris.
  const plain = /([A-Za-z_]+\/[A-Za-z_+-]+(?:\/[A-Za-z_]+)?)$/.exec(name)?.[1] ?? name;
  return resolveZoneName(plain);
};

/** Characters, with the path. The search for it takes time by their square. */
const LONGEST_ZONE = 100;

interface Reading {
  component: Component;
  zones: ReadonlyMap<string, string>;
  tz: string;
}

function readEvent(reading: Reading): ReadEvent | null {
  const { component } = reading;
  const uid = textOf(component, 'uid')?.slice(0, 500);
  if (!uid) return null;
  const start = timeIn(reading, 'dtstart');
  const klass = textOf(component, 'class')?.toLowerCase();
  return {
    uid,
    revision: numberOf(component, 'sequence'),
    name: (textOf(component, 'summary') ?? '').slice(0, 1_000) || 'No title',
    description: (textOf(component, 'description') ?? '').slice(0, 100_000),
    location: textOf(component, 'location')?.slice(0, 1_000) || null,
    url: textOf(component, 'url')?.slice(0, 2_000) || null,
    privacy: klass === 'private' || klass === 'confidential' ? klass : 'public',
    show_as: textOf(component, 'transp')?.toUpperCase() === 'TRANSPARENT' ? 'free' : 'busy',
    cancelled: textOf(component, 'status')?.toUpperCase() === 'CANCELLED',
    times: start && withEnd(reading, start),
    occurrence: timeIn(reading, 'recurrence-id')?.at ?? null,
    rule: ruleIn(component),
    left_out: component.getAllProperties('exdate').flatMap((property) => timesOf(reading, property)),
    attendees: component.getAllProperties('attendee').slice(0, limits.calendar.attendees).flatMap(attendeeOf),
  };
}

/** Values are decoded when they are asked for; null for one that cannot be. */
function safely<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}

const valueIn = (component: Component, name: string): unknown =>
  safely(() => component.getFirstPropertyValue(name));

const textOf = (component: Component, name: string): string | null => {
  const value = valueIn(component, name);
  return value === null || value === undefined ? null : String(value).replaceAll('\0', '').toWellFormed();
};

function numberOf(component: Component, name: string): number {
  const value = Number(valueIn(component, name) ?? 0);
  return Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : 0;
}

/** The rule as the library writes it: what it holds is checked when it is used. */
function ruleIn(component: Component): string | null {
  const rules = component.getAllProperties('rrule');
  // What cannot be said with one rule is refused as a rule that is none.
  if (rules.length > 1 || component.getAllProperties('rdate').length > 0) return 'FREQ=NONE';
  const [rule] = rules;
  return rule ? String(safely(() => rule.getFirstValue()) ?? 'FREQ=NONE').slice(0, 500) : null;
}

interface At {
  at: number;
  allday: boolean;
  tz: string;
}

function timeIn(reading: Reading, name: string): At | null {
  const property = reading.component.getFirstProperty(name);
  return property
    ? readTime(
        reading,
        property,
        safely(() => property.getFirstValue()),
      )
    : null;
}

const timesOf = (reading: Reading, property: Property): number[] =>
  (safely(() => property.getValues()) ?? [])
    .slice(0, limits.calendar.occurrences)
    .flatMap((value: unknown) => readTime(reading, property, value)?.at ?? []);

function readTime({ zones, tz }: Reading, property: Property, value: unknown): At | null {
  if (!(value instanceof ical.Time)) return null;
  const { year, month, day, hour, minute, second, isDate } = value as Time;
  const two = (part: number): string => String(part).padStart(2, '0');
  const wall = parseTimestamp(
    `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`,
  );
  if (Number.isNaN(wall) || year < FIRST_YEAR || year > LAST_YEAR) return null;
  if (isDate) return { at: wall, allday: true, tz: 'UTC' };
  const name = property.getFirstParameter('tzid');
  const zone = (value as Time).zone === ical.Timezone.utcTimezone ? 'UTC' : namedZone(name, zones, tz);
  return { at: instantAt(wall, zone), allday: false, tz: zone };
}

const namedZone = (name: string | undefined, zones: ReadonlyMap<string, string>, tz: string): string =>
  name ? (zones.get(name) ?? knownZone(name) ?? tz) : tz;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Where an event ends that does not say it: after an hour, or the same day (RFC 5545, 3.6.1). */
function withEnd(reading: Reading, { at, allday, tz }: At): ReadTimes {
  const end = timeIn(reading, 'dtend')?.at ?? at + lengthIn(reading.component, allday ? DAY : HOUR);
  // The end of whole days is the day behind them.
  const stop = allday ? Math.max(at, end - DAY) : Math.max(at, end);
  return { start: at, stop, allday, tz };
}

function lengthIn(component: Component, otherwise: number): number {
  const value = valueIn(component, 'duration');
  if (!(value instanceof ical.Duration)) return otherwise;
  const seconds = value.toSeconds();
  return seconds >= 0 && seconds < 366 * 86_400 ? seconds * 1000 : otherwise;
}

const STATES: Record<string, string> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
  'NEEDS-ACTION': 'needsAction',
};

function attendeeOf(property: Property): { email: string; state: string }[] {
  const address = String(safely(() => property.getFirstValue()) ?? '').replace(/^mailto:/i, '');
  const state = STATES[String(property.getFirstParameter('partstat') ?? '').toUpperCase()];
  return address.includes('@') && state ? [{ email: extractAddress(address), state }] : [];
}
