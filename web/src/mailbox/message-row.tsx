import { memo } from 'react';
import { formatCount, formatNumber } from '../i18n/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Timestamp } from '../ui/layout/timestamp.tsx';
import type { Label } from './address.ts';
import type { MailRowFragment } from './generated.ts';
import { Labels } from './labels.tsx';
import { mailStrings } from './strings.ts';

/** A message, or a conversation represented by its newest message. */
export interface ListedMessage extends MailRowFragment {
  thread?: { id: string; count: number };
}

interface MessageRowProps {
  message: ListedMessage;
  /** True to show recipients instead of senders. */
  isSent: boolean;
  labels: readonly Label[];
  /** Address of the message's mailbox. Set in lists that span mailboxes. */
  mailbox?: string;
}

/**
 * Shows the unread state with a dot, font weight, and text for screen readers. Memoized, so that a changed flag renders
 * only one row again.
 */
export const MessageRow = memo(function MessageRow({ message, isSent, labels, mailbox }: MessageRowProps) {
  const {
    isRead,
    isStarred,
    fromName,
    fromEmail,
    to,
    subject,
    snippet,
    date,
    labelIds,
    attachmentCount,
    thread,
  } = message;
  return (
    <div className={isRead ? 'message-row' : 'message-row unread'}>
      <span className="pick" data-pick="" aria-hidden="true" />
      <span className="dot" aria-hidden="true" />
      {!isRead && <span className="sr">{mailStrings.isUnread}</span>}
      <span className="who">{isSent ? to : fromName || fromEmail}</span>
      <Timestamp at={date} />
      <span className="what">
        {mailbox && <span className="of-mailbox quiet small">{mailbox}</span>}
        {thread && thread.count > 1 && (
          <span className="thread-count figures small">
            {formatNumber(thread.count)}
            <span className="sr"> {mailStrings.threadMessages}</span>
          </span>
        )}
        <Labels labels={labels.filter(({ id }) => labelIds.includes(id))} />
        <span className="said">
          <bdi className="subject">{subject || mailStrings.noSubject}</bdi>{' '}
          <bdi className="quiet">{snippet}</bdi>
        </span>
      </span>
      <span className="marks">
        {attachmentCount > 0 && (
          <>
            <Icon name="attach" />
            <span className="sr">{formatCount(attachmentCount, mailStrings.hasFiles)}</span>
          </>
        )}
        {isStarred && (
          <span className="starred">
            <Icon name="star" fill />
            <span className="sr">{mailStrings.isStarred}</span>
          </span>
        )}
      </span>
    </div>
  );
});
