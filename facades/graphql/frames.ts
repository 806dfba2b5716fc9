import type { ExecutionResult } from 'graphql';

// The two events of graphql-sse's distinct connections mode, which Yoga uses as well. An EventSource sends the id of
// the last event when it reconnects.

export const buildNextFrame = (result: ExecutionResult, cursor?: string): string =>
  `event: next\n${cursor ? `id: ${cursor}\n` : ''}data: ${JSON.stringify(result)}\n\n`;

/** Ends the stream. */
export const COMPLETE_FRAME = 'event: complete\ndata:\n\n';

/** A comment line, which clients ignore. */
export const HEARTBEAT_FRAME = ':\n\n';

/**
 * Encodes a chunk of a chunked HTTP body once, so that the same buffer can be written to the sockets of all
 * subscribers.
 */
export function encodeChunk(text: string): Buffer {
  const size = Buffer.byteLength(text);
  return Buffer.from(`${size.toString(16)}\r\n${text}\r\n`);
}
