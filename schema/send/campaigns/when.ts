import { isWritable } from '../../../src/engine/value/instant.ts';
import { errors } from '../../../src/errors.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: Record<string, number> = {
  min: MINUTE,
  minute: MINUTE,
  hr: HOUR,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
};
const IN = /^in (?:(\d{1,6})|an?) ?(minute|min|hour|hr|day|week)s?$/;

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY_AT = /^(?:(today|tomorrow)|(?:on |next |this )?([a-z]{3,9}))(?:(?: at)? (.{1,12}))?$/;

/** Hours and minutes of a day, with am, pm or neither. */
const CLOCK = /^(\d{1,2})(?:[:.](\d{2}))? ?(am|pm)?$/;

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z| ?[+-]\d{2}:?\d{2})?)?$/i;

/**
 * The instant that a text names, in milliseconds: ISO 8601 with Z, any offset or none (UTC), or a few words of English,
 * in UTC: `now`, `in 20 minutes`, `today at 17:30`, `tomorrow 9am`, `friday`, `next monday at noon`. A day of the week
 * is the next one after today. A day without a time is noon; `tomorrow` alone is in 24 hours.
 * @throws BAD_REQUEST for anything else, and for a time of today that has passed
 */
export function whenOf(text: string, now: number): number {
  const given = text.trim();
  const time = ISO.test(given) ? isoTime(given) : wordTime(given.toLowerCase().replace(/[\s,]+/g, ' '), now);
  if (time === null || !isWritable(time))
    throw errors.badRequest(
      `scheduledAt: ${JSON.stringify(given.slice(0, 60))} is no time; write 2026-11-20T08:30:00Z, "tomorrow 9am", "in 2 hours" or "next monday at 09:00".`,
    );
  return time;
}

function isoTime(text: string): number | null {
  const [, day, clock = '00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]([\d:.]+))?(?: ?(Z|[+-]\d{2}:?\d{2}))?$/i.exec(text)!;
  const time = Date.parse(`${day}T${clock}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  // A day that no month has would count on into the next one.
  const start = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day!) ? time : null;
}

function wordTime(words: string, now: number): number | null {
  if (words === 'now') return now;
  const span = IN.exec(words);
  if (span) return now + Number(span[1] ?? 1) * UNITS[span[2]!]!;
  const day = DAY_AT.exec(words.replace(/ (?:utc|gmt)$/, ''));
  if (!day) return null;
  const [, near, weekday, clock] = day;
  const midnight = now - (now % DAY);
  const ahead = near ? (near === 'today' ? 0 : 1) : daysUntil(weekday!, now);
  if (ahead === null) return null;
  if (!clock) return near ? now + ahead * DAY : midnight + ahead * DAY + DAY / 2;
  const after = clockTime(clock);
  if (after === null) return null;
  const time = midnight + ahead * DAY + after;
  if (time < now) throw errors.badRequest(`scheduledAt: ${words} has passed; times are UTC.`);
  return time;
}

/** Days from today to the next day of that name, 1 to 7. */
function daysUntil(name: string, now: number): number | null {
  const wanted = DAYS.findIndex((day) => day === name || day.slice(0, 3) === name);
  if (wanted < 0) return null;
  return ((wanted - new Date(now).getUTCDay() + 6) % 7) + 1;
}

/** Milliseconds after midnight. */
function clockTime(text: string): number | null {
  if (text === 'noon') return DAY / 2;
  if (text === 'midnight') return 0;
  const match = CLOCK.exec(text);
  if (!match) return null;
  const [, hour, minute = '0', half] = match;
  const hours = half ? (Number(hour) % 12) + (half === 'pm' ? 12 : 0) : Number(hour);
  const isClock = Number(minute) < 60 && (half ? Number(hour) >= 1 && Number(hour) <= 12 : hours < 24);
  // A bare number could be anything.
  if (!isClock || (!half && match[2] === undefined)) return null;
  return hours * HOUR + Number(minute) * MINUTE;
}
