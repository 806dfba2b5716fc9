import type { ExecutionResult } from 'graphql';

// Events of graphql-sse's distinct connections mode, which Yoga also uses. An EventSource sends the id of the last
// event when it reconnects.

export const buildNextFrame = (result: ExecutionResult, cursor?: string): string =>
  `event: next\n${cursor ? `id: ${cursor}\n` : ''}data: ${JSON.stringify(result)}\n\n`;

export const COMPLETE_FRAME = 'event: complete\ndata:\n\n';

export const HEARTBEAT_FRAME = ':\n\n';

/** Encodes a chunk of a chunked HTTP body once, so that all subscribers' sockets share the buffer. */
export function encodeChunk(text: string): Buffer {
  const size = Buffer.byteLength(text);
  return Buffer.from(`${size.toString(16)}\r\n${text}\r\n`);
}
