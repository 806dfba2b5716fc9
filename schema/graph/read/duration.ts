import { parseRelativeDate } from '../../../src/engine/value/relative-date.ts';
import { errors } from '../../../src/errors.ts';

const DURATION_PATTERN =
  /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Longer durations would start before any record. */
const MAX_DURATION_PART = 9_999;

/** The earliest time that fields can store. */
const EARLIEST_TIME = '0001-01-01 00:00:00';

/**
 * Converts an ISO 8601 duration to the relative date at its start, such as `now -1m -7d`, which the caller's time zone
 * resolves.
 * @throws BAD_REQUEST if the duration is invalid
 */
export function toRelativeDate(duration: string): string {
  const parts = DURATION_PATTERN.exec(duration)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts || parts.some((part) => part > MAX_DURATION_PART))
    throw errors.badRequest(
      `${JSON.stringify(duration.slice(0, 40))} is not an ISO 8601 duration such as P7D or PT12H.`,
    );
  // Years count as months, because two steps could shorten the day twice.
  const amounts = [12 * parts[0]! + parts[1]!, ...parts.slice(2)];
  const text = ['now', ...amounts.flatMap((amount, i) => (amount ? `-${amount}${'mwdHMS'[i]}` : []))].join(
    ' ',
  );
  return resolveInUtc(text, Date.now()) ? text : EARLIEST_TIME;
}

/** Subtracts an ISO 8601 duration from the time, in UTC. */
export const computeDurationStart = (duration: string, now = Date.now()): string =>
  resolveInUtc(toRelativeDate(duration), now)?.instant ?? EARLIEST_TIME;

/** Returns null before the year 1. */
const resolveInUtc = (text: string, now: number) =>
  parseRelativeDate(text, { now, tz: 'UTC', weekStart: () => 1 });
