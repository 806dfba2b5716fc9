import { type Sql, sql } from '../../../src/db/sql.ts';
import type { EmailStatus } from './email-status.ts';

interface StatusEvent {
  status: EmailStatus;
  data: Record<string, unknown> | null;
}

const AUTO_REPLY_KEY = 'autoReply';

/**
 * Marks an automatic reply, such as an out-of-office message. SES reports it after the delivery as a transient
 * `General` bounce without a server response. The email was delivered, so the event changes neither counters nor the
 * status.
 * @param seenStatuses statuses of earlier events
 */
export function markAutoReply<Event extends StatusEvent>(
  event: Event,
  recipients: readonly string[],
  seenStatuses: ReadonlySet<string>,
): Event {
  const { status, data } = event;
  const isReply =
    status === 'BOUNCED' &&
    data?.bounceType === 'Transient' &&
    data.bounceSubType === 'General' &&
    hasNoServerResponse(data.bouncedRecipients) &&
    // With several recipients, the delivery may concern a different one.
    recipients.length === 1 &&
    seenStatuses.has('DELIVERED');
  return isReply ? { ...event, data: { ...data, [AUTO_REPLY_KEY]: true } } : event;
}

const hasNoServerResponse = (recipients: unknown): boolean =>
  Array.isArray(recipients) &&
  recipients.every((recipient) => !recipient?.action && !recipient?.status && !recipient?.diagnosticCode);

export const isAutoReply = ({ data }: StatusEvent): boolean => data?.[AUTO_REPLY_KEY] === true;

export const isAutoReplyEvent = (data: Sql): Sql =>
  sql`coalesce(${data}->>${sql.literal(AUTO_REPLY_KEY)} = 'true', false)`;
