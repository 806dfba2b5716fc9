import type { Ctx } from '../ctx/ctx.ts';

/** A message that comes into a mailbox, as far as apps may want to know of it. */
export interface ReceivedMail {
  /** The one address it says it is from, in lower case; null where it names none or several. */
  from: string | null;
  /** Whether the domain of that address vouches for it. */
  isProved: boolean;
  /** Media types of its parts. */
  types: readonly string[];
  /** The content of the first part of a type, decoded; null where there is none or it has more bytes than `most`. */
  content(type: string, most: number): Promise<Buffer | null>;
}

/** What a message entails: done in the transaction in which it is filed, by which it happens once. */
type Consequence = (ctx: Ctx) => Promise<void>;

type MailReader = (mail: ReceivedMail) => Promise<Consequence | null>;

const readers: MailReader[] = [];

/** Has an app look at the messages that come, spam left out. It must not throw for what a message holds. */
export function onReceived(reader: MailReader): void {
  readers.push(reader);
}

/** What follows from a message. */
export async function consequencesOf(mail: ReceivedMail): Promise<Consequence[]> {
  const found: Consequence[] = [];
  for (const reader of readers) {
    const consequence = await reader(mail);
    if (consequence) found.push(consequence);
  }
  return found;
}
