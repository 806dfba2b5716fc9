import { type Sql, sql } from '../../../src/db/sql.ts';
import type { EmailStatus } from './email-status.ts';

interface StatusEvent {
  status: EmailStatus;
  data: Record<string, unknown> | null;
}

const AUTO_REPLY_KEY = 'autoReply';

/**
 * True if a bounce is an automatic reply, such as an out-of-office message, provided that the email was delivered. SES
 * reports these replies as transient `General` bounces without a server response.
 */
export const resemblesAutoReply = ({ status, data }: StatusEvent): boolean =>
  status === 'BOUNCED' &&
  data?.bounceType === 'Transient' &&
  data.bounceSubType === 'General' &&
  hasNoServerResponse(data.bouncedRecipients);

/** Marks an automatic reply. It changes neither counters nor the status. */
export const markAutoReply = <Event extends StatusEvent>(event: Event): Event => ({
  ...event,
  data: { ...event.data, [AUTO_REPLY_KEY]: true },
});

/** Builds an update that marks stored bounces as automatic replies. */
export const buildAutoReplyUpdate = (workspace: number, ids: number[]): Sql => sql`
  update svc_email_event set data = data || jsonb_build_object(${sql.literal(AUTO_REPLY_KEY)}, true)
  where workspace_id = ${workspace} and id = any(${ids}::bigint[])`;

const hasNoServerResponse = (recipients: unknown): boolean =>
  Array.isArray(recipients) &&
  recipients.every((recipient) => !recipient?.action && !recipient?.status && !recipient?.diagnosticCode);

export const isAutoReply = ({ data }: StatusEvent): boolean => data?.[AUTO_REPLY_KEY] === true;

export const isAutoReplyEvent = (data: Sql): Sql =>
  sql`coalesce(${data}->>${sql.literal(AUTO_REPLY_KEY)} = 'true', false)`;
