import { errors } from './errors.ts';

/** How much a JSON text may hold. */
export interface JsonBounds {
  values: number;
  depth: number;
}

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'",\\[]{}'].map((c) =>
  c.charCodeAt(0),
);

/**
 * Counts the values of a JSON text and the levels of its lists and objects, without building any of them. What is no
 * JSON is for the parser to refuse.
 * @throws BAD_REQUEST for more than `bounds`: with the HTTP status 413 of values, 422 of levels
 */
export function assertJsonBounds(bytes: Uint8Array, { values, depth }: JsonBounds): void {
  let count = 1;
  let level = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = findStringEnd(bytes, at);
    else if (byte === COMMA) count++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      count++;
      if (++level > depth) throw errors.bodyTooDeep(depth);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level--;
    if (count > values) throw errors.tooManyValues(values);
  }
}

/** The same bytes in a buffer that cannot grow: reading one that can is slow. */
export const toFixedBytes = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array =>
  new Uint8Array((buffer as ArrayBuffer).transferToFixedLength(), byteOffset, length);

/** Where a string ends that begins at `start`; beyond the text for one that does not. */
function findStringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
