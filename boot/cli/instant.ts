import { parseTimestamp } from '../../src/engine/value/instant.ts';

/** A record whose times, in UTC as the database writes them, are ISO 8601. Pure. */
export const withInstants = <R extends Record<string, unknown>>(record: R, ...names: (keyof R)[]): R => ({
  ...record,
  ...Object.fromEntries(names.map((name) => [name, toIso(record[name])])),
});

const toIso = (text: unknown): unknown =>
  typeof text === 'string' ? new Date(parseTimestamp(text)).toISOString() : text;
