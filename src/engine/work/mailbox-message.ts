import type { Ctx } from '../ctx/ctx.ts';

/** Somebody who is written to. */
export interface MessagePerson {
  name?: string;
  address: string;
}

/** A message that an app sends from a mailbox. */
export interface MailboxMessage {
  mailboxId: number;
  to: MessagePerson[];
  cc: MessagePerson[];
  subject: string;
  text: string;
  /** Safe HTML; null for a message of text alone. */
  html: string | null;
  /** Where answers go. */
  replyTo: string | null;
  /** Further header fields, such as `In-Reply-To`. */
  headers: Record<string, string>;
  files: { filename: string; contentType: string /** In base64. */; content: string }[];
}

/** Accepts a letter for sending. @returns its Message-ID, without angle brackets */
type SendMailboxMessage = (ctx: Ctx, letter: MailboxMessage) => Promise<string>;

let sender: SendMailboxMessage | undefined;

/** Mailboxes send what apps write. */
export function setMailboxSender(given: SendMailboxMessage): void {
  sender = given;
}

/**
 * Sends a message from a mailbox, in the transaction that there is, with a copy in its Sent folder. Who may do so is
 * the app's to ask.
 * @throws USER_ERROR when it may not be sent now
 */
export const sendFromMailbox = (ctx: Ctx, letter: MailboxMessage): Promise<string> => sender!(ctx, letter);
