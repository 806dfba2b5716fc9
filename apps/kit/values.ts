import type { Values } from '../../src/engine/model/model.ts';

/** Returns true unless the value is undefined, null, false or an empty string. */
export const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== '';

/** Returns the id in a many2one value. Null if it is unset or not an id. */
export const linkId = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 ? value : null;

export const linkIds = (list: Values[], field: string): number[] => [
  ...new Set(list.map((values) => linkId(values[field])).filter((id) => id !== null)),
];
