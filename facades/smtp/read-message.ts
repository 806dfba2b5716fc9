import { once } from 'node:events';
import type { SMTPServerDataStream } from 'smtp-server';
import type { Budget } from '../../src/budget.ts';
import { limits } from '../../src/limits.ts';
import { BoundedParser } from './bounded-parser.ts';
import { collectMail, type SubmittedMail } from './parse.ts';
import { smtpReplies } from './replies.ts';

/**
 * Parses a message while reading it. Always reads it to its end, because the client would mistake an earlier reply for
 * the reply to another command. Frees a rejected message immediately, and any other once `use` has finished.
 * @throws SmtpReply if the message is too large, has too many files, is invalid or incomplete; BUSY if too many messages
 * are being read
 */
export async function readMessage<T>(
  stream: SMTPServerDataStream,
  budget: Budget,
  use: (mail: SubmittedMail, bytes: number) => Promise<T>,
): Promise<T> {
  const parser = new BoundedParser();
  const mail = collectMail(parser);
  let size = 0;
  let heldBytes = 0;
  let fault: unknown = null;
  const abort = (error: unknown) => {
    fault = error;
    parser.destroy();
    budget.release(heldBytes);
    heldBytes = 0;
  };
  mail.catch(abort);
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > limits.submission.message) abort(smtpReplies.tooLarge(limits.submission.message));
      if (fault) continue;
      try {
        budget.reserve(part.length);
        heldBytes += part.length;
        if (!parser.write(part)) await Promise.race([once(parser, 'drain'), mail]);
      } catch (error) {
        abort(error);
      }
    }
    if (fault) throw fault;
    parser.end();
    return await use(await mail, size);
  } catch (error) {
    throw stream.errored === error ? smtpReplies.connectionClosed() : error;
  } finally {
    budget.release(heldBytes);
  }
}
