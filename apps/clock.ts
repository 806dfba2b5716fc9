/** The present second in UTC, as datetime fields take it: `2026-11-20 08:30:00`. */
export const nowText = (now = new Date()): string => now.toISOString().slice(0, 19).replace('T', ' ');

/** A day in UTC, as date fields take it; `days` from today. */
export const dayText = (days = 0, now = Date.now()): string =>
  new Date(now + days * 86_400_000).toISOString().slice(0, 10);
