import type { Ctx } from '../ctx/ctx.ts';

export interface ReceivedFile {
  name: string;
  /** Media type. */
  type: string;
  /** Size in bytes after decoding. */
  size: number;
  content(): Promise<Buffer>;
}

/** A message that arrives in a mailbox, with the facts that apps may need. */
export interface ReceivedMail {
  mailboxId: number;
  /** Envelope recipients that led to the mailbox. */
  recipients: readonly string[];
  /** The From address in lower case. Null if there is no address or more than one. */
  from: string | null;
  /** Display name of the From address. */
  fromName: string;
  cc: readonly string[];
  /** True if the domain of the From address authenticates the message. */
  isProved: boolean;
  /** True if the message comes from a program, a list or the mailbox itself. Such a message must not be answered. */
  isAutomatic: boolean;
  subject: string;
  /** Its Message-ID, without angle brackets. */
  messageId: string | null;
  /** Message-IDs that it replies to, closest first. */
  answers: readonly string[];
  text: string;
  /** Original HTML. Not sanitized, so it must not be displayed. */
  html: string | null;
  /** Empty if the mailbox stores no files. */
  files: readonly ReceivedFile[];
  types: readonly string[];
  /**
   * Returns the decoded content of the first part with the given type. Null if there is no such part, or if it exceeds
   * `maxBytes` bytes.
   */
  content(type: string, maxBytes: number): Promise<Buffer | null>;
}

/** Effect of a message. It runs in the transaction that files the message, so it happens exactly once. */
type Consequence = (ctx: Ctx) => Promise<void>;

/** @param ctx platform context for the workspace, without the workspace's name and models */
type MailReader = (mail: ReceivedMail, ctx: Ctx) => Promise<Consequence | null>;

const mailReaders: MailReader[] = [];

/** Registers an app's reader for incoming messages, except spam. It must not throw because of a message's content. */
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
