import type { SMTPServerDataStream } from 'smtp-server';
import type { Room } from '../../src/large-bodies.ts';
import { limits } from '../../src/limits.ts';
import { replies } from './replies.ts';

/**
 * Reads a message to its end, whatever is thought of it: an answer before that would be taken for one to something else.
 * The bytes are held until `use` has ended.
 * @throws Reply when it is too large; BUSY when the messages that are being read are too many
 */
export async function bytesOf<T>(
  stream: SMTPServerDataStream,
  room: Room,
  use: (raw: Buffer) => Promise<T>,
): Promise<T> {
  const parts: Buffer[] = [];
  let held = 0;
  let fault: unknown = null;
  try {
    for await (const part of stream) {
      const { length } = part as Buffer;
      if (fault) continue;
      try {
        if (held + length > limits.submissionMessage) throw replies.tooLarge(limits.submissionMessage);
        room.take(length);
        held += length;
        parts.push(part as Buffer);
      } catch (error) {
        fault = error;
        parts.length = 0;
      }
    }
    if (fault) throw fault;
    return await use(Buffer.concat(parts));
  } finally {
    room.give(held);
  }
}
