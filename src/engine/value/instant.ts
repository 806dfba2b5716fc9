import { createCache } from '../../cache.ts';

/**
 * Instants as the record engine writes them: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, UTC. Times are milliseconds; the
 * wall clock of a zone is a time too, as if that zone were UTC. A zone that is not known counts as UTC.
 */

const DAY_MS = 86_400_000;

export const parseTimestamp = (text: string): number =>
  Date.parse(`${text.length === 10 ? `${text} 00:00:00` : text}Z`.replace(' ', 'T'));

const MIN_TIME = Date.parse('0001-01-01T00:00:00Z');
const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether the years have four digits, as all texts here. */
export const isWritable = (time: number): boolean => time >= MIN_TIME && time <= MAX_TIME;

/** What lies outside of the years that can be written is before or after every stored instant, as Postgres says it. */
export function formatInstant(time: number): string {
  if (!isWritable(time)) return time < MIN_TIME ? '-infinity' : 'infinity';
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** Whether such a day and time exist; Date alone rolls 30 February over to March. */
export function isInstant(text: string): boolean {
  const time = parseTimestamp(text);
  return !Number.isNaN(time) && formatInstant(time).startsWith(text);
}

export const addSecond = (text: string): string => formatInstant(parseTimestamp(text) + 1000);

/**
 * When the day begins in a time zone, or the one `days` after it. Where a clock change skips midnight, the day begins
 * with its first instant or an hour around it.
 */
export const getStartOfDay = (day: string, tz: string, days = 0): string =>
  formatInstant(fromWallClock(parseTimestamp(day) + days * DAY_MS, tz));

/** What a clock in the zone shows at an instant. */
export const toWallClock = (time: number, tz: string): number => time + getOffset(tz, time);

/** The instant at which a clock in the zone shows `wall`; of two the later one, of none one an hour around it. */
export function fromWallClock(wall: number, tz: string): number {
  const guess = wall - getOffset(tz, wall);
  return wall - getOffset(tz, guess);
}

/** The zone under the name that the system prefers; null for what is none, and for an offset such as `+01:00`. */
export function resolveZoneName(tz: string): string | null {
  const name = tz === 'UTC' ? tz : getFormat(tz)?.resolvedOptions().timeZone;
  return name && /^[A-Za-z]/.test(name) ? name : null;
}

/** Milliseconds the zone is ahead of UTC at an instant; none near the ends of time, where they would lead beyond. */
function getOffset(tz: string, time: number): number {
  const format =
    tz === 'UTC' || !isWritable(time - DAY_MS) || !isWritable(time + DAY_MS) ? null : getFormat(tz);
  if (!format) return 0;
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value.padStart(2, '0')]),
  );
  const { year, month, day, hour, minute, second } = parts;
  const local = parseTimestamp(`${year!.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`);
  return local - Math.floor(time / 1000) * 1000;
}

/** Zones that are kept. Callers name them, and in more spellings than there are zones. */
const formats = createCache<string, Intl.DateTimeFormat>({ entries: 700 });

function getFormat(tz: string): Intl.DateTimeFormat | null {
  const known = formats.get(tz);
  if (known) return known;
  const format = createFormat(tz);
  if (!format) return null;
  formats.set(tz, format);
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat | null {
  const numeric = 'numeric';
  try {
    return new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch {
    return null;
  }
}
