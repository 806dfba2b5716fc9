import ical from 'ical.js';
import { parseTimestamp, resolveZoneName } from '../../../src/engine/value/instant.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { extractAddress } from '../../../src/mail/address.ts';
import { MAX_YEAR, MIN_YEAR } from '../event-times.ts';
import { toInstant } from '../wall-time.ts';

/** A calendar that somebody else wrote. */
export interface ParsedCalendar {
  /** In capitals; null for one that is no message. */
  method: string | null;
  events: ParsedEvent[];
}

export interface ParsedEvent {
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
  times: ParsedTimes | null;
  /** The occurrence of a recurrence that it is about, as an instant in ms; of one of whole days, its midnight. */
  occurrence: number | null;
  /** As it was written. */
  rule: string | null;
  left_out: number[];
  attendees: { email: string; state: string }[];
}

interface ParsedTimes {
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
export function parseCalendar(text: string, tz: string): ParsedCalendar {
  const root = parseRoot(text);
  const zones = mapZones(root);
  const events = root.getAllSubcomponents('vevent');
  return {
    method: getText(root, 'method')?.toUpperCase() ?? null,
    events: events.flatMap((each) => parseEvent({ component: each, zones, tz }) ?? []),
  };
}

type Component = InstanceType<typeof ical.Component>;
type Property = InstanceType<typeof ical.Property>;
type Time = InstanceType<typeof ical.Time>;

function parseRoot(text: string): Component {
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
    .filter((line) => TIME_PROPERTY.test(line))
    .reduce((sum, line) => sum + line.split(',').length, 0);
  if (times > limits.calendar.times)
    throw errors.badRequest(`A calendar has at most ${limits.calendar.times} times.`);
}

const TIME_PROPERTY = /^(?:DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)[;:]/i;

/** Names that the calendar gives to zones, and the zones they are here: Windows has names of its own. */
function mapZones(root: Component): Map<string, string> {
  const zones = new Map<string, string>();
  for (const zone of root.getAllSubcomponents('vtimezone')) {
    const name = getText(zone, 'tzid');
    const known = name && (findKnownZone(name) ?? findKnownZone(getText(zone, 'x-lic-location') ?? ''));
    if (name && known) zones.set(name, known);
  }
  return zones;
}

const findKnownZone = (name: string): string | null => {
  if (name.length > MAX_ZONE_LENGTH) return null;
  // Some write a path before the name: /freeassociation.sourceforge.net/Europe/Paris.
  const plain = /([A-Za-z_]+\/[A-Za-z_+-]+(?:\/[A-Za-z_]+)?)$/.exec(name)?.[1] ?? name;
  return resolveZoneName(plain);
};

/** Characters, with the path. The search for it takes time by their square. */
const MAX_ZONE_LENGTH = 100;

interface ParseContext {
  component: Component;
  zones: ReadonlyMap<string, string>;
  tz: string;
}

function parseEvent(reading: ParseContext): ParsedEvent | null {
  const { component } = reading;
  const uid = getText(component, 'uid')?.slice(0, 500);
  if (!uid) return null;
  const start = parseTimeProperty(reading, 'dtstart');
  const klass = getText(component, 'class')?.toLowerCase();
  return {
    uid,
    revision: getNumber(component, 'sequence'),
    name: (getText(component, 'summary') ?? '').slice(0, 1_000) || 'No title',
    description: (getText(component, 'description') ?? '').slice(0, 100_000),
    location: getText(component, 'location')?.slice(0, 1_000) || null,
    url: getText(component, 'url')?.slice(0, 2_000) || null,
    privacy: klass === 'private' || klass === 'confidential' ? klass : 'public',
    show_as: getText(component, 'transp')?.toUpperCase() === 'TRANSPARENT' ? 'free' : 'busy',
    cancelled: getText(component, 'status')?.toUpperCase() === 'CANCELLED',
    times: start && parseSpan(reading, start),
    occurrence: parseTimeProperty(reading, 'recurrence-id')?.at ?? null,
    rule: getRule(component),
    left_out: component.getAllProperties('exdate').flatMap((property) => parseTimes(reading, property)),
    attendees: component
      .getAllProperties('attendee')
      .slice(0, limits.calendar.attendees)
      .flatMap(parseAttendee),
  };
}

/** Values are decoded when they are asked for; null for one that cannot be. */
function tryOrNull<T>(compute: () => T): T | null {
  try {
    return compute();
  } catch {
    return null;
  }
}

const getValue = (component: Component, name: string): unknown =>
  tryOrNull(() => component.getFirstPropertyValue(name));

const getText = (component: Component, name: string): string | null => {
  const value = getValue(component, name);
  return value === null || value === undefined ? null : String(value).replaceAll('\0', '').toWellFormed();
};

function getNumber(component: Component, name: string): number {
  const value = Number(getValue(component, name) ?? 0);
  return Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : 0;
}

/** The rule as the library writes it: what it holds is checked when it is used. */
function getRule(component: Component): string | null {
  const rules = component.getAllProperties('rrule');
  // What cannot be said with one rule is refused as a rule that is none.
  if (rules.length > 1 || component.getAllProperties('rdate').length > 0) return 'FREQ=NONE';
  const [rule] = rules;
  return rule ? String(tryOrNull(() => rule.getFirstValue()) ?? 'FREQ=NONE').slice(0, 500) : null;
}

interface ParsedTime {
  at: number;
  allday: boolean;
  tz: string;
}

function parseTimeProperty(reading: ParseContext, name: string): ParsedTime | null {
  const property = reading.component.getFirstProperty(name);
  return property
    ? parseTimeValue(
        reading,
        property,
        tryOrNull(() => property.getFirstValue()),
      )
    : null;
}

const parseTimes = (reading: ParseContext, property: Property): number[] =>
  (tryOrNull(() => property.getValues()) ?? [])
    .slice(0, limits.calendar.occurrences)
    .flatMap((value: unknown) => parseTimeValue(reading, property, value)?.at ?? []);

function parseTimeValue({ zones, tz }: ParseContext, property: Property, value: unknown): ParsedTime | null {
  if (!(value instanceof ical.Time)) return null;
  const { year, month, day, hour, minute, second, isDate } = value as Time;
  const two = (part: number): string => String(part).padStart(2, '0');
  const wall = parseTimestamp(
    `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`,
  );
  if (Number.isNaN(wall) || year < MIN_YEAR || year > MAX_YEAR) return null;
  if (isDate) return { at: wall, allday: true, tz: 'UTC' };
  const name = property.getFirstParameter('tzid');
  const zone = (value as Time).zone === ical.Timezone.utcTimezone ? 'UTC' : resolveZone(name, zones, tz);
  return { at: toInstant(wall, zone), allday: false, tz: zone };
}

const resolveZone = (name: string | undefined, zones: ReadonlyMap<string, string>, tz: string): string =>
  name ? (zones.get(name) ?? findKnownZone(name) ?? tz) : tz;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Where an event ends that does not say it: after an hour, or the same day (RFC 5545, 3.6.1). */
function parseSpan(reading: ParseContext, { at, allday, tz }: ParsedTime): ParsedTimes {
  const end =
    parseTimeProperty(reading, 'dtend')?.at ??
    at + parseDuration(reading.component, allday ? DAY_MS : HOUR_MS);
  // The end of whole days is the day behind them.
  const stop = allday ? Math.max(at, end - DAY_MS) : Math.max(at, end);
  return { start: at, stop, allday, tz };
}

function parseDuration(component: Component, otherwise: number): number {
  const value = getValue(component, 'duration');
  if (!(value instanceof ical.Duration)) return otherwise;
  const seconds = value.toSeconds();
  return seconds >= 0 && seconds < 366 * 86_400 ? seconds * 1000 : otherwise;
}

const ATTENDEE_STATES: Record<string, string> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
  'NEEDS-ACTION': 'needsAction',
};

function parseAttendee(property: Property): { email: string; state: string }[] {
  const address = String(tryOrNull(() => property.getFirstValue()) ?? '').replace(/^mailto:/i, '');
  const state = ATTENDEE_STATES[String(property.getFirstParameter('partstat') ?? '').toUpperCase()];
  return address.includes('@') && state ? [{ email: extractAddress(address), state }] : [];
}
