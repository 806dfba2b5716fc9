import { parseJson } from './json.ts';
import { assertJsonBounds, toFixedBytes } from './json-bounds.ts';
import { limits } from './limits.ts';

export const MAX_JSON_DEPTH = 200;

/**
 * Runs in a worker thread.
 * @throws the errors of `parseJson`, and BAD_REQUEST with the HTTP status 413 for too many values, 422 for too many
 * levels
 */
export default function parseLargeJson(bytes: Uint8Array): unknown {
  const fixed = toFixedBytes(bytes);
  assertJsonBounds(fixed, { values: limits.http.values, depth: MAX_JSON_DEPTH });
  return parseJson(fixed);
}
