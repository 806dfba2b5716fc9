/** Returns true for a JSON object, but not for an array or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

export const stringifyMembers = (object: object): string => JSON.stringify(object).slice(1, -1);

/**
 * Serializes a value as jsonb for PostgreSQL, which supports neither NUL nor lone surrogates. They become U+FFFD. Text
 * that only looks like their escape sequences is kept.
 */
export const toStorableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f]..)/g, '$1\\ufffd');

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws TypeError for bytes that are not UTF-8, SyntaxError for invalid JSON */
export const parseJson = (bytes: Uint8Array): unknown => JSON.parse(utf8.decode(bytes));

/** An object from a caller may have a `toString` that is not a function, so objects are formatted as JSON. */
export const formatValue = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Returns true if lists and objects are nested more than `levels` deep. The recursion ends at this depth. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}
