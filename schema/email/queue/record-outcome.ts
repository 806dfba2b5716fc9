import type { Db } from '../../../src/db/db.ts';
import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { isBounce, listSoftBounces } from '../../../src/email/combine-parts.ts';
import type { SendOutcome, SendPart } from '../../../src/email/transport.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { extractAddress } from '../../../src/message/address.ts';
import { ALL_SUPPRESSED_REASON } from '../kit/recipients.ts';
import { type EmailEvent, recordEvents } from '../state/email-events.ts';
import { type EmailState, STATUS_BY_STATE } from '../state/email-state.ts';
import type { EmailStatus } from '../state/email-status.ts';
import { buildRecordedMove, recordMove } from '../state/move-emails.ts';
import { scheduleMailDue } from '../state/queues.ts';
import { recordRejectedRecipients } from '../state/soft-bounces.ts';
import { buildRequeueTime, isSameEmail, PROVIDER_REPORTED } from '../state/state-sql.ts';
import type { ClaimedEmail } from './claim.ts';

export interface EmailOutcome {
  workspace_id: number;
  id: number;
  state: Exclude<EmailState, 'sending'>;
  /** Seconds until a `queued` email can be claimed again. */
  wait: number;
  reason: string | null;
  /** Set if the provider accepted the email for at least one recipient. */
  provider_id: string | null;
  /** Remaining recipients. Empty means all recipients. */
  pending: string[];
  /** True if an earlier attempt reached some of the recipients. */
  partly: boolean;
  status: EmailStatus | null;
  data: Record<string, unknown> | null;
  /** True if the email was held unchanged, so that a scheduled email can still be canceled. */
  held: boolean;
  /** Recipients whose mailbox does not exist. Each gets an event and is suppressed. */
  bounced: BouncedRecipient[];
  /** Recipients that the relay rejected temporarily. Repeated rejections suppress them for a time. */
  softBounced: string[];
}

/** Same shape as a recipient in an SES bounce event. */
interface BouncedRecipient {
  emailAddress: string;
  action: 'failed';
  status: string;
  diagnosticCode: string;
}

/** The attempt failed, but the provider has reported on the email, so it was sent. */
const WAS_SENT = sql`g.state <> 'sent' and cardinality(g.pending) = 0 and ${PROVIDER_REPORTED}`;

/** A late outcome of a sent email can only requeue it for deferred recipients. */
const STAYS_SENT = sql`m.state = 'sent' and g.state <> 'queued'`;

const RECORD_OUTCOMES = sql.prepare<{ workspace: number; outcomes: string; worker: string }>((p) =>
  buildRecordedMove('recordOutcome', {
    before: sql`with given as (
      select g.*, ${NOW} as now, ${NOW} + make_interval(secs => g.wait) as due
      from json_to_recordset(${p.outcomes}::json) g(id bigint, state text, wait float8,
        reason text, provider_id text, pending text[], partly boolean, status text, data jsonb, held boolean)) `,
    to: sql`case when ${WAS_SENT} or ${STAYS_SENT} then 'sent' else g.state end`,
    set: sql`reason = case when ${WAS_SENT} then null when ${STAYS_SENT} then coalesce(g.reason, m.reason)
        else g.reason end,
      provider_id = coalesce(m.provider_id, g.provider_id), pending = g.pending,
      run_at = case when g.state = 'queued' then ${buildRequeueTime(p.workspace, sql`g.due`)} else m.run_at end,
      lease_by = null, lease_until = null,
      sent_at = case when g.provider_id is not null or ${WAS_SENT} then coalesce(m.sent_at, g.now) else m.sent_at end,
      latest_status = case when g.held and m.latest_status = 'SCHEDULED' then m.latest_status
        when g.status is not null and m.latest_status in ('QUEUED', 'SCHEDULED', 'DELIVERY_DELAYED') then g.status
        else m.latest_status end`,
    source: sql`given g`,
    condition: sql`${isSameEmail(p.workspace, 'g')} and m.lease_by = ${p.worker}`,
    event: { status: sql`case when m.state = g.state then g.status end`, data: sql`g.data` },
    isCounted: sql`m.state = g.state and g.status = 'SENT' and not g.partly`,
  }),
);

/** Records outcomes. Ignores emails whose lease `worker` has lost. */
export async function recordOutcomes(
  { db, config }: Pick<Runtime, 'db' | 'config'>,
  workspace: number,
  worker: string,
  outcomes: EmailOutcome[],
): Promise<void> {
  const bounces = outcomes.flatMap((outcome) => (outcome.bounced.length > 0 ? toBounceEvent(outcome) : []));
  const errors = outcomes.flatMap(({ id, softBounced }) =>
    softBounced.length > 0 ? [{ id, addresses: softBounced.map(extractAddress) }] : [],
  );
  if (bounces.length + errors.length === 0) return writeOutcomes(db, workspace, worker, outcomes);
  await db.transaction(async (tx) => {
    await writeOutcomes(tx, workspace, worker, outcomes);
    await recordEvents(tx, config, bounces);
    if (errors.length > 0) await recordRejectedRecipients(tx, config, workspace, errors);
  });
}

const toBounceEvent = ({ workspace_id, id, bounced }: EmailOutcome): EmailEvent => ({
  workspaceId: workspace_id,
  emailId: id,
  status: 'BOUNCED',
  data: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: bounced },
  isOurs: true,
});

async function writeOutcomes(
  db: Db,
  workspace: number,
  worker: string,
  outcomes: EmailOutcome[],
): Promise<void> {
  const move = RECORD_OUTCOMES({ workspace, outcomes: JSON.stringify(outcomes), worker });
  await recordMove(db, workspace, move, { counter: 'sent' });
  const waits = outcomes.flatMap(({ state, wait }) => (state === 'queued' ? [wait] : []));
  if (waits.length > 0) scheduleMailDue(db, workspace, { wait: Math.min(...waits) * 1000 });
}

type EmailAttempt = Pick<ClaimedEmail, 'workspace_id' | 'id' | 'attempts' | 'reason' | 'pending' | 'partly'>;

/** Outcome of an email that was not handed to the transport. */
export type NotSentOutcome =
  | { kind: 'suppressed' }
  | { kind: 'cancelled'; reason: string }
  | { kind: 'held'; retryAfterMs: number; reason: string };

export const toEmailOutcome = (
  email: EmailAttempt,
  outcome: SendOutcome | NotSentOutcome,
  transport: string,
): EmailOutcome => ({
  workspace_id: email.workspace_id,
  id: email.id,
  wait: 0,
  reason: null,
  provider_id: null,
  pending: email.pending,
  partly: email.partly,
  data: null,
  held: false,
  bounced: [],
  softBounced: [],
  ...buildChanges(email, outcome, transport),
});

function buildChanges(
  email: EmailAttempt,
  outcome: SendOutcome | NotSentOutcome,
  transport: string,
): Pick<EmailOutcome, 'state' | 'status'> & Partial<EmailOutcome> {
  const { pending, partly } = email;
  switch (outcome.kind) {
    case 'sent':
      // The local transport has already updated the row and recorded its events, in the transaction that stored the
      // message.
      return {
        state: 'sent',
        pending: [],
        provider_id: outcome.providerId,
        status: transport === 'local' ? null : 'SENT',
        data: pending.length ? { recipients: pending } : null,
      };
    case 'refused': {
      const error = removeInvalidChars(outcome.reason);
      return {
        ...buildFinalOutcome(email, 'failed', error),
        data: { error, code: outcome.code },
        softBounced: outcome.softBounced ?? [],
      };
    }
    case 'suppressed':
      return {
        ...buildFinalOutcome(email, 'suppressed', ALL_SUPPRESSED_REASON),
        data: { error: ALL_SUPPRESSED_REASON },
      };
    case 'cancelled':
      return {
        ...buildFinalOutcome(email, 'cancelled', outcome.reason),
        data: { error: outcome.reason },
      };
    case 'throttled':
      return {
        state: 'queued',
        status: null,
        wait: computeBackoffSeconds(outcome.retryAfterMs, email.attempts),
        reason: removeInvalidChars(outcome.reason),
      };
    case 'held': {
      const { retryAfterMs, reason } = outcome;
      const wait = computeBackoffSeconds(retryAfterMs, email.attempts);
      // Retries for the same reason record no further event.
      const status = email.reason === reason ? null : 'DELIVERY_DELAYED';
      return { state: 'queued', wait, reason, status, data: { error: reason }, held: true };
    }
    case 'unknown': {
      const reason = removeInvalidChars(outcome.reason);
      // Pending recipients may have received the email, so it must not be sent to them again.
      return {
        ...buildFinalOutcome(email, 'unknown', reason),
        ...(partly && { pending: [] }),
        data: { reason },
      };
    }
    case 'partial':
      return buildPartialOutcome(email, outcome.parts);
  }
}

/** Builds the outcome of an unsuccessful email. A partly sent email keeps the state `sent`. */
function buildFinalOutcome(
  email: EmailAttempt,
  state: 'failed' | 'unknown' | 'suppressed' | 'cancelled',
  reason: string,
): Pick<EmailOutcome, 'state' | 'reason' | 'status'> {
  const status = STATUS_BY_STATE[state];
  if (!email.partly) return { state, reason, status };
  const phrase = state === 'unknown' ? 'Not known whether sent to' : 'Not sent to';
  return { state: 'sent', reason: `${phrase} ${email.pending.join(', ')}: ${reason}`, status };
}

/**
 * Combines the outcomes of several recipients. Retries only deferred recipients, so that none receives the email twice.
 */
function buildPartialOutcome(
  email: EmailAttempt,
  parts: SendPart[],
): Pick<EmailOutcome, 'state' | 'reason' | 'status'> & Partial<EmailOutcome> {
  const sentParts = parts.flatMap(({ outcome }) => (outcome.kind === 'sent' ? [outcome.providerId] : []));
  const error = removeInvalidChars(parts.flatMap(describePart).join('; '));
  const recipients = parts.flatMap(getBouncedRecipients);
  const details = {
    provider_id: sentParts[0] ?? null,
    data: { error },
    bounced: recipients,
    softBounced: listSoftBounces(parts),
  };
  const waits = parts.flatMap((part) =>
    part.outcome.kind === 'throttled' ? [part.outcome.retryAfterMs] : [],
  );
  const pendingParts = parts.flatMap((part) => (part.outcome.kind === 'throttled' ? part.recipients : []));
  if (pendingParts.length > 0) {
    const wait = computeBackoffSeconds(Math.max(...waits), email.attempts);
    const status = sentParts.length > 0 ? 'SENT' : 'DELIVERY_DELAYED';
    return {
      ...details,
      state: 'queued',
      pending: pendingParts,
      wait,
      reason: `Not sent yet: ${error}`,
      status,
    };
  }
  if (sentParts.length > 0)
    return {
      ...details,
      state: 'sent',
      pending: getRejectedRecipients(parts),
      reason: `Not sent: ${error}`,
      status: 'SENT',
    };
  if (parts.every(({ outcome }) => isBounce(outcome)))
    return { ...details, state: 'sent', pending: pendingParts, reason: `Not sent: ${error}`, status: null };
  const unsure = parts.some((part) => part.outcome.kind === 'unknown');
  return { ...details, ...buildFinalOutcome(email, unsure ? 'unknown' : 'failed', error) };
}

/** Returns the recipients to whom the email can be sent again on request. */
const getRejectedRecipients = (parts: SendPart[]): string[] =>
  parts.flatMap(({ outcome, recipients }) =>
    outcome.kind === 'refused' && !isBounce(outcome) ? recipients : [],
  );

const getBouncedRecipients = ({ recipients, outcome }: SendPart): BouncedRecipient[] =>
  isBounce(outcome)
    ? recipients.map((emailAddress) => ({
        emailAddress,
        action: 'failed',
        status: outcome.noMailbox,
        diagnosticCode: `smtp; ${removeInvalidChars(outcome.reason)}`,
      }))
    : [];

const describePart = ({ recipients, outcome }: SendPart): string[] =>
  outcome.kind === 'sent' ? [] : [`${recipients.join(', ')}: ${outcome.reason}`];

const MAX_BACKOFF_SECONDS = 300;

/** Returns the provider's delay, or an exponential backoff if that is longer. */
function computeBackoffSeconds(retryAfterMs: number, attempts: number): number {
  return Math.max(retryAfterMs / 1000, Math.min(MAX_BACKOFF_SECONDS, 2 ** Math.min(attempts, 10) * 0.5));
}

/** Removes characters that PostgreSQL rejects in text. A single invalid character would fail the whole batch. */
const removeInvalidChars = (text: string): string => text.replaceAll('\0', '').toWellFormed();
