import { formatInstant, parseTimestamp, toWallClock } from '../../src/engine/value/instant.ts';

export const DAY_MS = 86_400_000;

export const formatWallDay = (time: number): string => formatInstant(time).slice(0, 10);

/** Converts an instant, formatted like a datetime field, to local time. */
export const parseWallTime = (text: string, tz: string): number => toWallClock(parseTimestamp(text), tz);
