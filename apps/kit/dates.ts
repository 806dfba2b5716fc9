import { formatInstant } from '../../src/engine/value/instant.ts';

const DAY_MS = 86_400_000;

/** Formats the time `days` from now in UTC, like a datetime field: `2026-11-20 08:30:00`. */
export const formatNow = (days = 0): string => formatInstant(Date.now() + days * DAY_MS);

/** Formats the date `days` from now in UTC, like a date field. */
export const formatDay = (days = 0): string => formatNow(days).slice(0, 10);

/** Adds days to a date such as `2026-11-20`. */
export const addDays = (day: string, days: number): string =>
  formatInstant(Date.parse(day) + days * DAY_MS).slice(0, 10);
