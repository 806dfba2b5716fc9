import { formatInstant, fromWallClock, parseTimestamp, toWallClock } from '../../src/engine/value/instant.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS: number = 24 * HOUR_MS;

/**
 * Converts the local time `wallTime` to an instant (RFC 5545, 3.3.5). An ambiguous time refers to the earlier instant.
 * A skipped time uses the offset before the change.
 */
export function toInstant(wallTime: number, tz: string): number {
  const time = fromWallClock(wallTime, tz);
  const clockTime = toWallClock(time, tz);
  if (clockTime !== wallTime) return clockTime < wallTime ? time + (wallTime - clockTime) : time;
  return (
    [HOUR_MS, HOUR_MS / 2]
      .map((delta) => time - delta)
      .find((before) => toWallClock(before, tz) === wallTime) ?? time
  );
}

export const formatWallDay = (time: number): string => formatInstant(time).slice(0, 10);

/** Converts an instant, formatted like a datetime field, to local time. */
export const parseWallTime = (text: string, tz: string): number => toWallClock(parseTimestamp(text), tz);
