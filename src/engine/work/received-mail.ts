import type { Ctx } from '../ctx/ctx.ts';

export interface ReceivedFile {
  name: string;
  type: string;
  /** Size in bytes after decoding. */
  size: number;
  content(): Promise<Buffer>;
}

/** A message that arrived in a mailbox, as apps see it. */
export interface ReceivedMail {
  mailboxId: number;
  /** Envelope recipients through which the message reached this mailbox. */
  recipients: readonly string[];
  /** From address in lower case. Null unless there is exactly one. */
  from: string | null;
  fromName: string;
  cc: readonly string[];
  /** True if the message was authenticated for the domain of the From address. */
  isProved: boolean;
  /** True if the message comes from a program, a mailing list or the mailbox itself, and so must not be answered. */
  isAutomatic: boolean;
  subject: string;
  /** Message-ID without angle brackets. */
  messageId: string | null;
  /** Message-IDs that the message replies to, closest first. */
  answers: readonly string[];
  text: string;
  /** Original HTML. It is not sanitized and must not be displayed. */
  html: string | null;
  /** Empty if the mailbox does not store files. */
  files: readonly ReceivedFile[];
  types: readonly string[];
  /**
   * Returns the decoded content of the first part with the given media type. Null if there is no such part or it
   * exceeds `maxBytes`.
   */
  content(type: string, maxBytes: number): Promise<Buffer | null>;
}

/**
 * Applies the effects of a message. Runs in the transaction that stores the message, so the effects occur exactly once.
 */
type Consequence = (ctx: Ctx) => Promise<void>;

/** @param ctx system context without the workspace's name and models */
type MailReader = (mail: ReceivedMail, ctx: Ctx) => Promise<Consequence | null>;

const mailReaders: MailReader[] = [];

/**
 * Registers an app's handler for incoming messages other than spam. The handler must not throw because of a message's
 * content.
 */
export function onReceivedMail(reader: MailReader): void {
  mailReaders.push(reader);
}

export async function collectConsequences(ctx: Ctx, mail: ReceivedMail): Promise<Consequence[]> {
  const consequences: Consequence[] = [];
  for (const reader of mailReaders) {
    const consequence = await reader(mail, ctx);
    if (consequence) consequences.push(consequence);
  }
  return consequences;
}
