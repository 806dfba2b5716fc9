const DAY = 86_400_000;

/** A day ago, as columns without a zone hold times. */
export const getYesterday = (): string => new Date(Date.now() - DAY).toISOString().slice(0, 23);
