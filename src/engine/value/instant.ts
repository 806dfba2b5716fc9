import { createCache } from '../../cache.ts';

/**
 * Instants are strings in the record API's format: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, in UTC. Times are Unix
 * milliseconds. Wall times are also milliseconds, computed as if the time zone were UTC. An unknown time zone counts as
 * UTC.
 */

const DAY_MS = 86_400_000;

export const parseTimestamp = (text: string): number =>
  Date.parse(`${text.length === 10 ? `${text} 00:00:00` : text}Z`.replace(' ', 'T'));

/** Converts an instant with a time to ISO 8601. */
export const toIsoTime = (instant: string): string => `${instant.replace(' ', 'T')}Z`;

const MIN_TIME = Date.parse('0001-01-01T00:00:00Z');
const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns true if the year has four digits, which the format of instants requires. */
export const isStorableTime = (time: number): boolean => time >= MIN_TIME && time <= MAX_TIME;

/**
 * Formats a time. Times outside the writable years become `-infinity` or `infinity`, which PostgreSQL sorts before or
 * after every stored instant.
 */
export function formatInstant(time: number): string {
  if (!isStorableTime(time)) return time < MIN_TIME ? '-infinity' : 'infinity';
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** Rejects days and times that do not exist. `Date` alone would convert 30 February to a day in March. */
export function isInstant(text: string): boolean {
  const time = parseTimestamp(text);
  return !Number.isNaN(time) && formatInstant(time).startsWith(text);
}

export const addSecond = (text: string): string => formatInstant(parseTimestamp(text) + 1000);

/** Returns the first instant of a day in a time zone, or of the day `days` later. */
export const getStartOfDay = (day: string, tz: string, days = 0): string =>
  formatInstant(fromWallClock(parseTimestamp(day) + days * DAY_MS, tz));

export const toWallClock = (time: number, tz: string): number => time + getOffset(tz, time);

/**
 * Returns the instant of a wall time in the zone (RFC 5545, 3.3.5). If a clock change repeats the wall time, returns
 * the earlier instant. If it skips the wall time, uses the offset before the change.
 */
export function fromWallClock(wallTime: number, tz: string): number {
  const early = wallTime - getOffset(tz, wallTime - DAY_MS);
  if (toWallClock(early, tz) === wallTime) return early;
  const late = wallTime - getOffset(tz, wallTime + DAY_MS);
  return toWallClock(late, tz) === wallTime ? late : early;
}

/** Returns the zone's canonical name. Null for an unknown zone, and for an offset such as `+01:00`. */
export function resolveZoneName(tz: string): string | null {
  const name = tz === 'UTC' ? tz : getFormat(tz)?.resolvedOptions().timeZone;
  return name && /^[A-Za-z]/.test(name) ? name : null;
}

/**
 * Returns the zone's UTC offset in milliseconds. Returns 0 near the first and last writable times, because adding an
 * offset might exceed them.
 */
function getOffset(tz: string, time: number): number {
  const format =
    tz === 'UTC' || !isStorableTime(time - DAY_MS) || !isStorableTime(time + DAY_MS) ? null : getFormat(tz);
  if (!format) return 0;
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value.padStart(2, '0')]),
  );
  const { year, month, day, hour, minute, second } = parts;
  const local = parseTimestamp(`${year!.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`);
  return local - Math.floor(time / 1000) * 1000;
}

/** Bounds the cache, because callers provide the names and a zone's name has several spellings. */
const formats = createCache<string, Intl.DateTimeFormat>({ entries: 700 });

function getFormat(tz: string): Intl.DateTimeFormat | null {
  const cachedFormat = formats.get(tz);
  if (cachedFormat) return cachedFormat;
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
