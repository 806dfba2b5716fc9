import { assertMaySend } from '../ctx/assert-may-send.ts';
import type { Ctx } from '../ctx/ctx.ts';

interface MessagePerson {
  name?: string;
  address: string;
}

export interface MailboxMessage {
  mailboxId: number;
  to: MessagePerson[];
  cc: MessagePerson[];
  subject: string;
  text: string;
  /** Safe HTML. Null for a text-only message. */
  html: string | null;
  replyTo: string | null;
  /** Additional headers, such as `In-Reply-To`. */
  headers: Record<string, string>;
  /** `content` is base64-encoded. */
  files: { filename: string; contentType: string; content: string }[];
}

/** Accepts a message for sending, and returns its Message-ID without angle brackets. */
type MailboxSender = (ctx: Ctx, message: MailboxMessage) => Promise<string>;

let sender: MailboxSender | undefined;

export function setMailboxSender(implementation: MailboxSender): void {
  sender = implementation;
}

/**
 * Sends a message from a mailbox in the current transaction, and saves a copy in its Sent folder. The app must check
 * permissions.
 * @throws USER_ERROR if the message cannot be sent now, FORBIDDEN if the caller is an agent that may not send
 */
export async function sendFromMailbox(ctx: Ctx, message: MailboxMessage): Promise<string> {
  assertMaySend(ctx);
  return sender!(ctx, message);
}
