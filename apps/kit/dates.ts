import { formatInstant } from '../../src/engine/value/instant.ts';

const DAY_MS = 86_400_000;

/** The current time in UTC, or `days` from now, in the format of datetime fields: `2026-11-20 08:30:00`. */
export const formatNow = (days = 0): string => formatInstant(Date.now() + days * DAY_MS);

/** Today's date in UTC, or `days` from today, in the format of date fields. */
export const formatDay = (days = 0): string => formatNow(days).slice(0, 10);
