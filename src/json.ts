/** Whether a value of JSON is an object, with names and values. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The members of an object as JSON text, without the braces; '' where it has none. */
export const stringifyMembers = (object: object): string => JSON.stringify(object).slice(1, -1);

/**
 * A value as text that Postgres takes for jsonb: it keeps neither NUL characters nor halves of characters, which become
 * U+FFFD. Text that only looks like their escapes stays.
 */
export const toStorableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f]..)/g, '$1\\ufffd');

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON text in UTF-8.
 * @throws TypeError for bytes that are no UTF-8, SyntaxError for text that is no JSON
 */
export const parseJson = (bytes: Uint8Array): unknown => JSON.parse(utf8.decode(bytes));

/** Whatever a caller gave, as text. An object of a caller may have a `toString` that is no function. */
export const formatValue = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
