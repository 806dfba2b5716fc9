import type { ParsedMail } from '../../../src/mail/parse/message.ts';
import { applyRules } from '../../../src/mail/rules/apply-rules.ts';
import type { MailboxFacts } from './mailbox-facts.ts';

/** What is known of a message beyond what it says. */
export interface PlacementSignals {
  hasAttachment: boolean;
  /** The domain of its sender disowns it. */
  isDisowned: boolean;
  isBlocked: boolean;
  /** A filter or a trusted relay takes it for spam. */
  isSpam: boolean;
}

/** Where a message goes in a mailbox, and how it is marked there. */
export interface EntryPlacement {
  folderId: number;
  labelIds: number[];
  isRead: boolean;
  isStarred: boolean;
  isSpam: boolean;
}

/** Decides where a message goes. Rules run for what is not spam already. Pure. */
export function computePlacement(
  mail: ParsedMail,
  judged: PlacementSignals,
  mailbox: MailboxFacts,
): EntryPlacement {
  const blocked = judged.isBlocked && mailbox.features['mail.blocklist'];
  if (judged.isDisowned || blocked || judged.isSpam) return placeInSpam(mailbox);
  if (!mailbox.features['mail.rules']) return placeInInbox(mailbox);
  const done = applyRules(mailbox.rules, { ...mail, hasAttachment: judged.hasAttachment });
  const flags = {
    labelIds: done.labels.filter((id) => mailbox.labels.has(id)),
    isRead: done.markRead,
    isStarred: done.star,
  };
  if (done.spam) return { ...placeInSpam(mailbox), ...flags };
  // A folder may have been deleted since.
  const folderId =
    done.folderId !== null && mailbox.folders.has(done.folderId) ? done.folderId : mailbox.inbox;
  return { ...flags, folderId, isSpam: folderId === mailbox.spam };
}

/** Unread in the Inbox. Pure. */
export const placeInInbox = ({ inbox }: MailboxFacts): EntryPlacement => ({
  folderId: inbox,
  labelIds: [],
  isRead: false,
  isStarred: false,
  isSpam: false,
});

const placeInSpam = (mailbox: MailboxFacts): EntryPlacement => ({
  ...placeInInbox(mailbox),
  folderId: mailbox.spam,
  isSpam: true,
});
