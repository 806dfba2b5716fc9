import { errors } from './errors.ts';
import { limits } from './limits.ts';

interface JsonBounds {
  values: number;
  depth: number;
}

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'",\\[]{}'].map((c) =>
  c.charCodeAt(0),
);

/**
 * Counts the values, nesting levels and keys of a JSON text without parsing it. Invalid JSON is left to the parser.
 * @throws BAD_REQUEST if `bounds` are exceeded: with the HTTP status 413 for values and keys, 422 for levels
 */
export function assertJsonBounds(bytes: Uint8Array, { values, depth }: JsonBounds): void {
  const { objectKeys, extraKeys } = limits.http;
  let count = 1;
  let level = 0;
  let extraCount = 0;
  /** Number of keys in the open object at each nesting level. Lists have no keys, so they start at -Infinity. */
  const keyCounts: number[] = [0];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) index = findStringEnd(bytes, index);
    else if (byte === COMMA) {
      count++;
      if (++keyCounts[level]! > objectKeys && ++extraCount > extraKeys) throw errors.tooManyExtraKeys();
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      count++;
      if (++level > depth) throw errors.bodyTooDeep(depth);
      keyCounts[level] = byte === OPEN_OBJECT ? 1 : Number.NEGATIVE_INFINITY;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level--;
    if (count > values) throw errors.tooManyValues(values);
  }
}

/** Moves the bytes to a buffer of fixed length, because reading a resizable buffer is slow. */
export const toFixedBytes = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array =>
  new Uint8Array((buffer as ArrayBuffer).transferToFixedLength(), byteOffset, length);

/**
 * Finds the end of the string that begins at `start`. Returns a position past the end of the text if it is not closed.
 */
function findStringEnd(bytes: Uint8Array, start: number): number {
  let position = start + 1;
  while (position < bytes.length && bytes[position] !== QUOTE)
    position += bytes[position] === BACKSLASH ? 2 : 1;
  return position;
}
