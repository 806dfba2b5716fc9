import { parseTimestamp } from '../../src/engine/value/instant.ts';

export const formatInstantFields = <R extends Record<string, unknown>>(
  record: R,
  ...names: (keyof R)[]
): R => ({
  ...record,
  ...Object.fromEntries(names.map((name) => [name, toIso(record[name])])),
});

const toIso = (text: unknown): unknown =>
  typeof text === 'string' ? new Date(parseTimestamp(text)).toISOString() : text;
