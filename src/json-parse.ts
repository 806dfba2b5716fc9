import { parseJson } from './json.ts';
import { assertJsonBounds, toFixedBytes } from './json-bounds.ts';
import { limits } from './limits.ts';

export const MAX_JSON_DEPTH = 200;
/** A shorter text cannot contain too many keys. */
const MIN_CHECKED_BYTES = 5 * (limits.http.objectKeys + limits.http.extraKeys);

/**
 * Runs in a worker thread.
 * @throws the errors of `parseJson`, and BAD_REQUEST with the HTTP status 413 for too many values or keys, 422 for too
 * many levels
 */
export default function parseLargeJson(bytes: Uint8Array): unknown {
  const fixed = toFixedBytes(bytes);
  assertJsonBounds(fixed, { values: limits.http.values, depth: MAX_JSON_DEPTH });
  return parseJson(fixed);
}

const KEYS_ONLY = { values: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };

/** @throws the errors of `parseJson`, and BAD_REQUEST with the HTTP status 413 for too many keys */
export function parseSmallJson(bytes: Uint8Array): unknown {
  if (bytes.length > MIN_CHECKED_BYTES) assertJsonBounds(bytes, KEYS_ONLY);
  return parseJson(bytes);
}
