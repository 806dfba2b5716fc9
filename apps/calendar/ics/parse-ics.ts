import ical from 'ical.js';
import { fromWallClock, parseTimestamp, resolveZoneName } from '../../../src/engine/value/instant.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { extractAddress } from '../../../src/message/address.ts';
import { MAX_YEAR, MIN_YEAR } from '../event-times.ts';

const MAX_ICS_PROPERTIES = 20_000;
const MAX_PROPERTY_PARAMETERS = 1_000;
/** Maximum number of time values in a calendar, including excluded occurrences. */
const MAX_TIMESTAMPS = 5_000;

export interface ParsedCalendar {
  /** Uppercase. Null if the calendar is not a scheduling message. */
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
  /** Null if the event has no readable start. */
  times: ParsedTimes | null;
  /** Original start of the occurrence that the component changes, in ms. Midnight for all-day events. */
  occurrence: number | null;
  rule: string | null;
  left_out: number[];
  attendees: { email: string; state: string }[];
}

interface ParsedTimes {
  /** In milliseconds, like `stop`. */
  start: number;
  stop: number;
  allday: boolean;
  /** The event's time zone, or the default zone if the calendar's zone is unknown. */
  tz: string;
}

/**
 * Parses a calendar file. Skips components other than events, and unsupported properties.
 * @param tz time zone for times that specify none
 * @throws BAD_REQUEST if the text is not a calendar or exceeds a limit
 */
export function parseCalendar(text: string, tz: string): ParsedCalendar {
  const root = parseRoot(text);
  const zones = mapZones(root);
  const events = root.getAllSubcomponents('vevent');
  return {
    method: getText(root, 'method')?.toUpperCase() ?? null,
    events: events.flatMap((event) => parseEvent({ component: event, zones, tz }) ?? []),
  };
}

type Component = InstanceType<typeof ical.Component>;
type Property = InstanceType<typeof ical.Property>;
type Time = InstanceType<typeof ical.Time>;

function parseRoot(text: string): Component {
  checkSize(text);
  try {
    const parsed = ical.parse(text.replace(/^\ufeff/, '').trim());
    const first = Array.isArray(parsed[0]) ? parsed[0] : parsed;
    const root = new ical.Component(first);
    if (root.name === 'vcalendar') return root;
  } catch {
    // Invalid syntax is reported by the error below.
  }
  throw errors.badRequest('This is not a valid iCalendar file (RFC 5545).');
}

/**
 * Checks the size, because the library takes quadratic time for a property's parameters and looks up the time zone for
 * every time value.
 * @throws BAD_REQUEST if the calendar exceeds a limit
 */
function checkSize(text: string): void {
  const lines = text.replace(/\r?\n[ \t]/g, '').split('\n');
  if (lines.length > MAX_ICS_PROPERTIES)
    throw errors.badRequest(`A calendar may have at most ${MAX_ICS_PROPERTIES} properties.`);
  if (lines.some((line) => (line.match(/;[\w-]+=/g)?.length ?? 0) > MAX_PROPERTY_PARAMETERS))
    throw errors.badRequest(`A calendar property may have at most ${MAX_PROPERTY_PARAMETERS} parameters.`);
  const times = lines
    .filter((line) => TIME_PROPERTY.test(line))
    .reduce((sum, line) => sum + line.split(',').length, 0);
  if (times > MAX_TIMESTAMPS)
    throw errors.badRequest(`A calendar may contain at most ${MAX_TIMESTAMPS} dates and times.`);
}

const TIME_PROPERTY = /^(?:DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)[;:]/i;

/** Maps the calendar's zone names to known zones. Windows uses different names. */
function mapZones(root: Component): Map<string, string> {
  const zones = new Map<string, string>();
  for (const zone of root.getAllSubcomponents('vtimezone')) {
    const name = getText(zone, 'tzid');
    const knownZone = name && (findKnownZone(name) ?? findKnownZone(getText(zone, 'x-lic-location') ?? ''));
    if (name && knownZone) zones.set(name, knownZone);
  }
  return zones;
}

const findKnownZone = (name: string): string | null => {
  if (name.length > MAX_ZONE_LENGTH) return null;
  // Some programs put a path before the name: /freeassociation.sourceforge.net/Europe/Paris.
  const plainName = /([A-Za-z_]+\/[A-Za-z_+-]+(?:\/[A-Za-z_]+)?)$/.exec(name)?.[1] ?? name;
  return resolveZoneName(plainName);
};

/** Maximum length of a zone name, including its path. The regular expression takes quadratic time. */
const MAX_ZONE_LENGTH = 100;

interface ParseContext {
  component: Component;
  zones: ReadonlyMap<string, string>;
  tz: string;
}

function parseEvent(state: ParseContext): ParsedEvent | null {
  const { component } = state;
  const uid = getText(component, 'uid')?.slice(0, 500);
  if (!uid) return null;
  const start = parseTimeProperty(state, 'dtstart');
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
    times: start && parseSpan(state, start),
    occurrence: parseTimeProperty(state, 'recurrence-id')?.at ?? null,
    rule: getRule(component),
    left_out: component.getAllProperties('exdate').flatMap((property) => parseTimes(state, property)),
    attendees: component
      .getAllProperties('attendee')
      .slice(0, limits.calendar.attendees)
      .flatMap(parseAttendee),
  };
}

/**
 * Returns null if `compute` fails. The library decodes values only when they are read, so reading a value can throw.
 */
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

/** Returns the recurrence rule as ical.js serializes it. The rule is validated when it is used. */
function getRule(component: Component): string | null {
  const rules = component.getAllProperties('rrule');
  // Multiple rules and additional dates are unsupported. This invalid rule is rejected when it is used.
  if (rules.length > 1 || component.getAllProperties('rdate').length > 0) return 'FREQ=NONE';
  const [rule] = rules;
  return rule ? String(tryOrNull(() => rule.getFirstValue()) ?? 'FREQ=NONE').slice(0, 500) : null;
}

interface ParsedTime {
  at: number;
  allday: boolean;
  tz: string;
}

function parseTimeProperty(state: ParseContext, name: string): ParsedTime | null {
  const property = state.component.getFirstProperty(name);
  return property
    ? parseTimeValue(
        state,
        property,
        tryOrNull(() => property.getFirstValue()),
      )
    : null;
}

const parseTimes = (state: ParseContext, property: Property): number[] =>
  (tryOrNull(() => property.getValues()) ?? [])
    .slice(0, limits.calendar.occurrences)
    .flatMap((value: unknown) => parseTimeValue(state, property, value)?.at ?? []);

function parseTimeValue({ zones, tz }: ParseContext, property: Property, value: unknown): ParsedTime | null {
  if (!(value instanceof ical.Time)) return null;
  const { year, month, day, hour, minute, second, isDate } = value as Time;
  const pad = (part: number): string => String(part).padStart(2, '0');
  const wallTime = parseTimestamp(
    `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`,
  );
  if (Number.isNaN(wallTime) || year < MIN_YEAR || year > MAX_YEAR) return null;
  if (isDate) return { at: wallTime, allday: true, tz: 'UTC' };
  const name = property.getFirstParameter('tzid');
  const zone = (value as Time).zone === ical.Timezone.utcTimezone ? 'UTC' : resolveZone(name, zones, tz);
  return { at: fromWallClock(wallTime, zone), allday: false, tz: zone };
}

const resolveZone = (name: string | undefined, zones: ReadonlyMap<string, string>, tz: string): string =>
  name ? (zones.get(name) ?? findKnownZone(name) ?? tz) : tz;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Parses start and end. Without an end, an event lasts for its DURATION, or else for one hour or one day (RFC 5545,
 * 3.6.1).
 */
function parseSpan(state: ParseContext, { at, allday, tz }: ParsedTime): ParsedTimes {
  const end =
    parseTimeProperty(state, 'dtend')?.at ?? at + parseDuration(state.component, allday ? DAY_MS : HOUR_MS);
  // DTEND of an all-day event is exclusive.
  const stop = allday ? Math.max(at, end - DAY_MS) : Math.max(at, end);
  return { start: at, stop, allday, tz };
}

function parseDuration(component: Component, defaultMs: number): number {
  const value = getValue(component, 'duration');
  if (!(value instanceof ical.Duration)) return defaultMs;
  const seconds = value.toSeconds();
  return seconds >= 0 && seconds < 366 * 86_400 ? seconds * 1000 : defaultMs;
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
