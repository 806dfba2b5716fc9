import type { ParsedMail } from '../../../src/mail/parse/message.ts';
import { applyRules } from '../../../src/mail/rules/apply-rules.ts';
import type { MailboxFacts } from './mailbox-facts.ts';

/** What is known of a message beyond what it says. */
export interface Judged {
  hasAttachment: boolean;
  /** The domain of its sender disowns it. */
  isDisowned: boolean;
  isBlocked: boolean;
  /** A filter or a trusted relay takes it for spam. */
  isSpam: boolean;
}

/** Where a message goes in a mailbox, and how it is marked there. */
export interface Placing {
  folderId: number;
  labelIds: number[];
  isRead: boolean;
  isStarred: boolean;
  isSpam: boolean;
}

/** Decides where a message goes. Rules run for what is not spam already. Pure. */
export function placingOf(mail: ParsedMail, judged: Judged, mailbox: MailboxFacts): Placing {
  const blocked = judged.isBlocked && mailbox.features['mail.blocklist'];
  if (judged.isDisowned || blocked || judged.isSpam) return spamIn(mailbox);
  if (!mailbox.features['mail.rules']) return plainIn(mailbox);
  const done = applyRules(mailbox.rules, { ...mail, hasAttachment: judged.hasAttachment });
  const marks = {
    labelIds: done.labels.filter((id) => mailbox.labels.has(id)),
    isRead: done.markRead,
    isStarred: done.star,
  };
  if (done.spam) return { ...spamIn(mailbox), ...marks };
  // A folder may have been deleted since.
  const folderId =
    done.folderId !== null && mailbox.folders.has(done.folderId) ? done.folderId : mailbox.inbox;
  return { ...marks, folderId, isSpam: folderId === mailbox.spam };
}

/** Unread in the Inbox. Pure. */
export const plainIn = ({ inbox }: MailboxFacts): Placing => ({
  folderId: inbox,
  labelIds: [],
  isRead: false,
  isStarred: false,
  isSpam: false,
});

const spamIn = (mailbox: MailboxFacts): Placing => ({
  ...plainIn(mailbox),
  folderId: mailbox.spam,
  isSpam: true,
});
