const DAY_MS = 86_400_000;

/** Returns the time 24 hours ago, for timestamp columns without a time zone. */
export const getYesterday = (): string => new Date(Date.now() - DAY_MS).toISOString().slice(0, 23);
