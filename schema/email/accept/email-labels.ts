import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';

const MAX_TAGS = 50;
const MAX_TAG_NAME_CHARS = 100;
const MAX_TAG_VALUE_CHARS = 500;
const MAX_METADATA_BYTES = 16 * 1024;

/**
 * Normalizes tags, given as an object or an array of name/value pairs, to an object.
 * @throws BAD_REQUEST that names the tag
 */
export function parseTags(value: unknown): Record<string, string> | null {
  if (value === null || value === undefined) return null;
  const tags: Record<string, string> = Object.fromEntries(parseTagPairs(value));
  const names = Object.keys(tags);
  if (names.length > MAX_TAGS) throw errors.badRequest(`tags: must contain at most ${MAX_TAGS} tags.`);
  return names.length ? tags : null;
}

function parseTagPairs(value: unknown): [string, string][] {
  const list = Array.isArray(value)
    ? value.map(parseTagPair)
    : isObject(value)
      ? Object.entries(value)
      : null;
  if (!list) throw errors.badRequest('tags: must be an object with string values.');
  return list.map(([name, text]) => {
    if (!name || name.length > MAX_TAG_NAME_CHARS || !name.isWellFormed())
      throw errors.badRequest(`tags: a name must have 1 to ${MAX_TAG_NAME_CHARS} characters.`);
    if (typeof text !== 'string' || text.length > MAX_TAG_VALUE_CHARS || !text.isWellFormed())
      throw errors.badRequest(`tags: ${name} must be a string of at most ${MAX_TAG_VALUE_CHARS} characters.`);
    return [name, text];
  });
}

function parseTagPair(item: unknown): [string, unknown] {
  const { name, value } = isObject(item) ? item : {};
  return [typeof name === 'string' ? name : '', value];
}

export function parseMetadata(value: unknown): Record<string, unknown> | null {
  if (value === null || value === undefined) return null;
  if (!isObject(value)) throw errors.badRequest('metadata: must be an object.');
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > MAX_METADATA_BYTES)
    throw errors.badRequest(`metadata: must be at most ${MAX_METADATA_BYTES} bytes of JSON.`);
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(text))
    throw errors.badRequest('metadata: a string contains a lone surrogate (half of a character).');
  return value;
}
