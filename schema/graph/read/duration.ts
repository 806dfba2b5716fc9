import type { Field } from '../../../src/engine/model/field.ts';
import { errors } from '../../../src/errors.ts';

const DURATION_PATTERN =
  /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Longer durations would start before any record. */
const MAX_DURATION_PART = 9_999;

/** Start of year 1, the earliest time that fields can store. */
const EARLIEST_TIME_MS = Date.parse('0001-01-01T00:00:00Z');

/**
 * Subtracts an ISO 8601 duration from the current time. Returns the result in the format of conditions on the field.
 * @throws BAD_REQUEST if the duration is invalid
 */
export function computeDurationStart(field: Field, duration: string, now = new Date()): string {
  const parts = DURATION_PATTERN.exec(duration)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts || parts.some((part) => part > MAX_DURATION_PART))
    throw errors.badRequest(
      `${JSON.stringify(duration.slice(0, 40))} is not an ISO 8601 duration such as P7D or PT12H.`,
    );
  const [years, months, weeks, days, hours, minutes, seconds] = parts as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const start = subtractMonths(now, months + 12 * years);
  start.setTime(
    start.getTime() - (((days + 7 * weeks) * 24 + hours) * 60 + minutes) * 60_000 - seconds * 1000,
  );
  const text = new Date(Math.max(start.getTime(), EARLIEST_TIME_MS)).toISOString();
  return field.type === 'date' ? text.slice(0, 10) : text.replace('T', ' ').slice(0, 19);
}

/** Returns the same day and time some months earlier, or the last day of a shorter month. */
function subtractMonths(now: Date, months: number): Date {
  const start = new Date(now);
  start.setUTCMonth(start.getUTCMonth() - months);
  if (start.getUTCDate() !== now.getUTCDate()) start.setUTCDate(0);
  return start;
}
