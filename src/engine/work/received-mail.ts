import type { Ctx } from '../ctx/ctx.ts';

/** A file of a message. */
export interface ReceivedFile {
  name: string;
  /** Media type. */
  type: string;
  /** Bytes when it is decoded. */
  size: number;
  content(): Promise<Buffer>;
}

/** A message that comes into a mailbox, as far as apps may want to know of it. */
export interface ReceivedMail {
  mailboxId: number;
  /** Addresses of the envelope that led to the mailbox. */
  recipients: readonly string[];
  /** The one address it says it is from, in lower case; null where it names none or several. */
  from: string | null;
  /** The name that stands with that address. */
  fromName: string;
  /** Addresses of its copies. */
  cc: readonly string[];
  /** Whether the domain of that address vouches for it. */
  isProved: boolean;
  /** It comes from a program, a list or the mailbox itself: nothing may answer it. */
  isAutomatic: boolean;
  subject: string;
  /** Its Message-ID, without angle brackets. */
  messageId: string | null;
  /** Ids of the messages that it answers, the nearest first. */
  answers: readonly string[];
  text: string;
  /** As it was written: not fit to be shown. */
  html: string | null;
  /** None where the mailbox keeps no files. */
  files: readonly ReceivedFile[];
  /** Media types of its parts. */
  types: readonly string[];
  /** The content of the first part of a type, decoded; null where there is none or it has more bytes than `most`. */
  content(type: string, most: number): Promise<Buffer | null>;
}

/** What a message entails: done in the transaction in which it is filed, by which it happens once. */
type Consequence = (ctx: Ctx) => Promise<void>;

/** @param ctx of the platform in the workspace, which knows neither its name nor its models */
type MailReader = (mail: ReceivedMail, ctx: Ctx) => Promise<Consequence | null>;

const mailReaders: MailReader[] = [];

/** Has an app look at the messages that come, spam left out. It must not throw for what a message holds. */
export function onReceivedMail(reader: MailReader): void {
  mailReaders.push(reader);
}

/** What follows from a message. */
export async function collectConsequences(ctx: Ctx, mail: ReceivedMail): Promise<Consequence[]> {
  const found: Consequence[] = [];
  for (const reader of mailReaders) {
    const consequence = await reader(mail, ctx);
    if (consequence) found.push(consequence);
  }
  return found;
}
