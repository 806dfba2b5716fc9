import type { ParsedMail } from '../../../src/message/parse/message.ts';
import { applyRules } from '../../../src/message/rules/apply-rules.ts';
import type { MailboxInfo } from './mailbox-facts.ts';

interface PlacementSignals {
  hasAttachment: boolean;
  /** True if the sender's domain requests that the message be rejected or quarantined. */
  isDisowned: boolean;
  isBlocked: boolean;
  /** True if a spam filter or a trusted relay classified the message as spam. */
  isSpam: boolean;
}

export interface EntryPlacement {
  folderId: number;
  labelIds: number[];
  isRead: boolean;
  isStarred: boolean;
  isSpam: boolean;
}

/** Determines where to file a message. Does not run rules for spam. */
export function computePlacement(
  mail: ParsedMail,
  signals: PlacementSignals,
  mailbox: MailboxInfo,
): EntryPlacement {
  const isBlocked = signals.isBlocked && mailbox.features['mail.blocklist'];
  if (signals.isDisowned || isBlocked || signals.isSpam) return buildSpamPlacement(mailbox);
  if (!mailbox.features['mail.rules']) return buildInboxPlacement(mailbox);
  const result = applyRules(mailbox.rules, { ...mail, hasAttachment: signals.hasAttachment });
  const flags = {
    labelIds: result.labels.filter((id) => mailbox.labels.has(id)),
    isRead: result.markRead,
    isStarred: result.star,
  };
  if (result.spam) return { ...buildSpamPlacement(mailbox), ...flags };
  // The folder may have been deleted since the rule was loaded.
  const folderId =
    result.folderId !== null && mailbox.folders.has(result.folderId) ? result.folderId : mailbox.inbox;
  return { ...flags, folderId, isSpam: folderId === mailbox.spam };
}

export const buildInboxPlacement = ({ inbox }: MailboxInfo): EntryPlacement => ({
  folderId: inbox,
  labelIds: [],
  isRead: false,
  isStarred: false,
  isSpam: false,
});

const buildSpamPlacement = (mailbox: MailboxInfo): EntryPlacement => ({
  ...buildInboxPlacement(mailbox),
  folderId: mailbox.spam,
  isSpam: true,
});
