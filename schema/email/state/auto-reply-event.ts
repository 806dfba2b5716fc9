import { type Sql, sql } from '../../../src/db/sql.ts';
import type { EmailStatus } from './email-status.ts';

interface StatusEvent {
  status: EmailStatus;
  data: Record<string, unknown> | null;
}

/** Key of the flag in event data. */
const AUTO_REPLY_KEY = 'autoReply';

/**
 * Marks an automatic reply, such as an out-of-office message. Amazon SES reports it after the delivery as a transient
 * bounce with the subtype `General`. Unlike a returned message, it contains no server response. The email is delivered,
 * so the event changes neither counters nor the status.
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
    // With several recipients, the delivery may concern another recipient.
    recipients.length === 1 &&
    seenStatuses.has('DELIVERED');
  return isReply ? { ...event, data: { ...data, [AUTO_REPLY_KEY]: true } } : event;
}

/** True if no server has rejected a recipient. */
const hasNoServerResponse = (recipients: unknown): boolean =>
  Array.isArray(recipients) &&
  recipients.every((recipient) => !recipient?.action && !recipient?.status && !recipient?.diagnosticCode);

export const isAutoReply = ({ data }: StatusEvent): boolean => data?.[AUTO_REPLY_KEY] === true;

/** Matches the data of a marked event. */
export const isAutoReplyEvent = (data: Sql): Sql =>
  sql`coalesce(${data}->>${sql.literal(AUTO_REPLY_KEY)} = 'true', false)`;
