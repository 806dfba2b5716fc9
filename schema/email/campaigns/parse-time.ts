import type { Component, ParsedComponents } from 'chrono-node';
import { isStorableTime } from '../../../src/engine/value/instant.ts';
import { errors } from '../../../src/errors.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const NAMED_OFFSETS_MS: Record<string, number> = {
  now: 0,
  today: 0,
  tomorrow: DAY_MS,
  'day after tomorrow': 2 * DAY_MS,
  'the day after tomorrow': 2 * DAY_MS,
};

const UNIT_MS: Record<string, number> = {
  minute: MINUTE_MS,
  min: MINUTE_MS,
  hour: HOUR_MS,
  hr: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};
const RELATIVE_TIME_PATTERN = /^in (?:(\d{1,6})|an?) ?(minute|min|hour|hr|day|week)s?$/;

const ISO_TIME_PATTERN =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z| ?[+-]\d{2}:?\d{2})?)?$/i;

const MAX_TIME_TEXT_LENGTH = 60;

/**
 * Parses a time to Unix time in milliseconds: ISO 8601 with Z, an offset or neither (UTC), or English words in UTC,
 * such as `now`, `in 20 minutes`, `today at 17:30`, `tomorrow 9am`, `friday`, `next monday at noon` or `25 december`. A
 * weekday is the next one after today. A date without a year is the next one, including today. A day without a time
 * means noon, except that `tomorrow` alone means in 24 hours.
 * @throws BAD_REQUEST for any other string, and for words that name a past time
 */
export async function parseTimeText(text: string, now: number): Promise<number> {
  const trimmed = text.trim();
  const time = ISO_TIME_PATTERN.test(trimmed)
    ? parseIsoTime(trimmed)
    : await parseRelativeTime(trimmed.toLowerCase().replace(/[\s,]+/g, ' '), now);
  if (time === null || !isStorableTime(time))
    throw errors.badField(
      'scheduledAt',
      `${JSON.stringify(trimmed.slice(0, MAX_TIME_TEXT_LENGTH))} is not a time; write 2026-11-20T08:30:00Z, ` +
        `"tomorrow 9am", "in 2 hours" or "next monday at 09:00".`,
    );
  return time;
}

function parseIsoTime(text: string): number | null {
  const [, day, clock = '00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]([\d:.]+))?(?: ?(Z|[+-]\d{2}:?\d{2}))?$/i.exec(text)!;
  const time = Date.parse(`${day}T${clock}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  // Rejects days that the month does not have, which would otherwise roll over into the next month.
  const start = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day!) ? time : null;
}

async function parseRelativeTime(text: string, now: number): Promise<number | null> {
  if (Object.hasOwn(NAMED_OFFSETS_MS, text)) return now + NAMED_OFFSETS_MS[text]!;
  const span = RELATIVE_TIME_PATTERN.exec(text);
  if (span) return now + Number(span[1] ?? 1) * UNIT_MS[span[2]!]!;
  const time =
    text.length > MAX_TIME_TEXT_LENGTH || isAmbiguousTime(text) ? null : await parseDayTime(text, now);
  if (time !== null && time < now)
    throw errors.badField('scheduledAt', `${text} is in the past. Times are in UTC.`);
  return time;
}

/**
 * Parses a day with an optional time. Rejects spans such as `in 2 days`, because the parser computes them in the
 * process's time zone.
 */
async function parseDayTime(text: string, now: number): Promise<number | null> {
  // Imported on demand: the parser takes 30 ms to load, and few processes need it.
  const { casual } = await import('chrono-node/en');
  const [result] = casual.parse(text, { instant: new Date(now), timezone: 0 });
  const isSpan = text.startsWith('in ');
  return result && result.text === text && !result.end && !isSpan ? toInstant(result.start, text, now) : null;
}

/**
 * Returns null for a time without a day, and for time zones other than UTC, because their abbreviations are ambiguous.
 */
function toInstant(start: ParsedComponents, text: string, now: number): number | null {
  const isWeekday = start.isCertain('weekday') && !start.isCertain('day');
  if (start.get('timezoneOffset') || !(isWeekday || start.isCertain('day'))) return null;
  const part = (name: Component) => start.get(name) ?? 0;
  const timeIn = (year: number) =>
    Date.UTC(year, part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  if (isWeekday)
    return /\b(?:last|past|week)\b/.test(text) ? null : getNextWeekday(timeIn(part('year')), now);
  const time =
    start.isCertain('year') || !start.isCertain('month') ? timeIn(part('year')) : getNextDate(timeIn, now);
  const date = new Date(time);
  // `february 29` rolls over into March if the next year is not a leap year.
  if (date.getUTCDate() !== part('day')) return null;
  return start.isCertain('weekday') && date.getUTCDay() !== part('weekday') % 7 ? null : time;
}

/**
 * Returns the next occurrence of a date, including today. The parser would choose the year in the process's time zone.
 */
function getNextDate(timeIn: (year: number) => number, now: number): number {
  const year = new Date(now).getUTCFullYear();
  const today = now - (now % DAY_MS);
  return timeIn(year) < today ? timeIn(year + 1) : timeIn(year);
}

/** Returns the time on the same weekday 1 to 7 days after today, because English speakers disagree on `next friday`. */
function getNextWeekday(time: number, now: number): number {
  const midnight = now - (now % DAY_MS);
  const ahead = Math.floor((time - midnight) / DAY_MS);
  return time + (((((ahead - 1) % 7) + 7) % 7) + 1 - ahead) * DAY_MS;
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const ORDINAL = String.raw`\d{1,2}(?:st|nd|rd|th)?`;

/** Unambiguous numbers: a count, a time, or a day of a month. */
const UNAMBIGUOUS_PATTERN = new RegExp(
  [
    String.raw`\b\d{1,6} ?(?:minute|min|hour|hr|day|week)s?\b`,
    String.raw`\b(?:1[0-2]|0?[1-9])(?:[:.]\d{2})? ?[ap]m\b`,
    String.raw`\b\d{1,2}[:.]\d{2}\b(?! ?[ap]m)`,
    String.raw`\b${MONTH} ${ORDINAL}(?: \d{4})?\b`,
    String.raw`\b${ORDINAL} (?:of )?${MONTH}(?: \d{4})?\b`,
  ].join('|'),
  'g',
);

/** True if a number is ambiguous, as in `tomorrow at 9`, `12/11/2026` and `1.5 hours`. */
const isAmbiguousTime = (text: string): boolean => /\d/.test(text.replace(UNAMBIGUOUS_PATTERN, ''));
