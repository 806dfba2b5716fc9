import type { Values } from '../../src/engine/model/model.ts';

/** Whether a value says something: unset is false, null, empty text or absent. */
export const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== '';

/** An id of a many2one value; null when it is unset or no id. */
export const linkId = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 ? value : null;

/** The ids a many2one has in a list of values, each once. */
export const linkIds = (list: Values[], field: string): number[] => [
  ...new Set(list.map((values) => linkId(values[field])).filter((id) => id !== null)),
];
