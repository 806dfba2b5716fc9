import type { SMTPServerDataStream } from 'smtp-server';
import type { Budget } from '../../src/budget.ts';
import { limits } from '../../src/limits.ts';
import { createMessageReceiver, type MessageReceiver, type ReceivedMessage } from './parse.ts';
import { smtpReplies } from './replies.ts';

/**
 * Reads a message to its end even if it is rejected, because the client would mistake an earlier reply for the reply to
 * another command. Frees a rejected message immediately, and any other once `use` has finished.
 * @throws SmtpReply if the message is not acceptable or incomplete; BUSY if too many messages are being read
 */
export async function readMessage<T>(
  stream: SMTPServerDataStream,
  budget: Budget,
  use: (message: ReceivedMessage) => Promise<T>,
): Promise<T> {
  let receiver: MessageReceiver | null = createMessageReceiver();
  let heldBytes = 0;
  let fault: unknown = null;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      try {
        if (!receiver) continue;
        budget.reserve(chunk.length);
        heldBytes += chunk.length;
        if (heldBytes > limits.submission.message) throw smtpReplies.tooLarge(limits.submission.message);
        receiver.push(chunk);
      } catch (error) {
        fault = error;
        receiver = null;
        budget.release(heldBytes);
        heldBytes = 0;
      }
    }
    if (!receiver) throw fault;
    return await use(receiver.end());
  } catch (error) {
    throw stream.errored === error ? smtpReplies.connectionClosed() : error;
  } finally {
    budget.release(heldBytes);
  }
}
