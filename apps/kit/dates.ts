import { formatInstant } from '../../src/engine/value/instant.ts';

const DAY_MS = 86_400_000;

/** The present second in UTC, as datetime fields take it: `2026-11-20 08:30:00`; or the same time `days` from now. */
export const nowText = (days = 0): string => formatInstant(Date.now() + days * DAY_MS);

/** A day in UTC, as date fields take it; `days` from today. */
export const dayText = (days = 0): string => nowText(days).slice(0, 10);
