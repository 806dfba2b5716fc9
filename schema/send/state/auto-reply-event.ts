import { type Sql, sql } from '../../../src/db/sql.ts';
import type { EmailStatus } from './email-status.ts';

interface StatusEvent {
  status: EmailStatus;
  data: Record<string, unknown> | null;
}

/** Key that is added to the data of an event. */
const MARK = 'autoReply';

/**
 * Marks an automatic reply, such as an out-of-office message. Amazon SES reports it after the delivery as a transient
 * bounce of the subtype `General`. Unlike a returned message, it has no response of a server. The email is delivered,
 * so the event changes neither counters nor the status.
 * @param seen statuses of earlier events
 */
export function markAutoReply<Event extends StatusEvent>(
  event: Event,
  recipients: readonly string[],
  seen: ReadonlySet<string>,
): Event {
  const { status, data } = event;
  const isReply =
    status === 'BOUNCED' &&
    data?.bounceType === 'Transient' &&
    data.bounceSubType === 'General' &&
    hasNoAnswer(data.bouncedRecipients) &&
    // With several recipients, the delivery may be that of another recipient.
    recipients.length === 1 &&
    seen.has('DELIVERED');
  return isReply ? { ...event, data: { ...data, [MARK]: true } } : event;
}

/** True if no server has refused the recipients. */
const hasNoAnswer = (recipients: unknown): boolean =>
  Array.isArray(recipients) &&
  recipients.every((each) => !each?.action && !each?.status && !each?.diagnosticCode);

export const isAutoReply = ({ data }: StatusEvent): boolean => data?.[MARK] === true;

/** True for a marked event, by its data. */
export const isAutoReplyEvent = (data: Sql): Sql =>
  sql`coalesce(${data}->>${sql.literal(MARK)} = 'true', false)`;
