import { formatInstant, fromWallClock, parseTimestamp, toWallClock } from '../../src/engine/value/instant.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS: number = 24 * HOUR_MS;

/**
 * The instant at which a clock in the zone shows `wall`, as RFC 5545 (3.3.5) has it: the first of two, and where clocks
 * skip the time, as long after the change as it would have been without one. Pure.
 */
export function toInstant(wall: number, tz: string): number {
  const time = fromWallClock(wall, tz);
  const clockTime = toWallClock(time, tz);
  if (clockTime !== wall) return clockTime < wall ? time + (wall - clockTime) : time;
  return (
    [HOUR_MS, HOUR_MS / 2].map((by) => time - by).find((before) => toWallClock(before, tz) === wall) ?? time
  );
}

/** The day of a time, as date fields have it. Pure. */
export const formatWallDay = (time: number): string => formatInstant(time).slice(0, 10);

/** What a clock in the zone shows at an instant that is written as datetime fields are. Pure. */
export const parseWallTime = (text: string, tz: string): number => toWallClock(parseTimestamp(text), tz);
