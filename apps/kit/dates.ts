import { formatInstant } from '../../src/engine/value/instant.ts';

const DAY_MS = 86_400_000;

/** Formats the current time in UTC, or the time `days` from now, as in datetime fields: `2026-11-20 08:30:00`. */
export const formatNow = (days = 0): string => formatInstant(Date.now() + days * DAY_MS);

/** Formats today's date in UTC, or the date `days` from today, as in date fields. */
export const formatDay = (days = 0): string => formatNow(days).slice(0, 10);
