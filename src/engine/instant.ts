/** Instants as the record engine writes them: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, UTC. */

const utc = (text: string): Date =>
  new Date(`${text.length === 10 ? `${text} 00:00:00` : text}Z`.replace(' ', 'T'));

const written = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** Whether such a day and time exist; Date alone rolls 30 February over to March. */
export function isInstant(text: string): boolean {
  const date = utc(text);
  return !Number.isNaN(date.getTime()) && written(date.getTime()).startsWith(text);
}

export const oneSecondLater = (text: string): string => written(utc(text).getTime() + 1000);

/**
 * When the day begins in a time zone, or the one `days` after it. A zone that is not known counts as UTC.
 * Where a clock change skips midnight, the day begins with its first instant or an hour around it.
 */
export function startOfDay(day: string, tz: string, days = 0): string {
  const midnight = utc(day).getTime() + days * 86_400_000;
  const guess = midnight - offsetOf(tz, midnight);
  return written(midnight - offsetOf(tz, guess));
}

const formats = new Map<string, Intl.DateTimeFormat | null>();

/** Milliseconds the zone is ahead of UTC at an instant. */
function offsetOf(tz: string, time: number): number {
  const format = tz === 'UTC' ? null : formatOf(tz);
  if (!format) return 0;
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second);
  return local - time;
}

function formatOf(tz: string): Intl.DateTimeFormat | null {
  let format = formats.get(tz);
  if (format !== undefined) return format;
  const numeric = 'numeric';
  try {
    format = new Intl.DateTimeFormat('en', {
      timeZone: tz,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch {
    format = null;
  }
  formats.set(tz, format);
  return format;
}
