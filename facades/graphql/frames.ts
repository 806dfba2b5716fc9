import type { ExecutionResult } from 'graphql';

// The two events of graphql-sse's distinct connections mode, which are Yoga's as well. The id is for an EventSource,
// which sends that of the last event when it comes back.

/** One result as a frame. */
export const buildNextFrame = (result: ExecutionResult, cursor?: string): string =>
  `event: next\n${cursor ? `id: ${cursor}\n` : ''}data: ${JSON.stringify(result)}\n\n`;

/** Nothing more will come. */
export const COMPLETE_FRAME = 'event: complete\ndata:\n\n';

/** A comment, which clients ignore. */
export const HEARTBEAT_FRAME = ':\n\n';

/**
 * A piece of a chunked HTTP body, so that one buffer goes to every socket as it is: for each of a thousand readers the
 * text would be encoded again.
 */
export function encodeChunk(text: string): Buffer {
  const size = Buffer.byteLength(text);
  return Buffer.from(`${size.toString(16)}\r\n${text}\r\n`);
}
