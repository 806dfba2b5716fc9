import type { EmailStatus } from './email-status.ts';

/**
 * The queue works by `state`; clients see `latest_status`, which follows the provider's reports independently. Every
 * state change goes through `moveEmails` (move-emails.ts), and the `state` trigger of svc_email rejects changes that
 * are not in `EMAIL_TRANSITIONS`.
 */
export const EMAIL_STATES = [
  'queued',
  'sending',
  'sent',
  'failed',
  'unknown',
  'cancelled',
  'suppressed',
] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

export const INITIAL_STATES = ['queued', 'suppressed'] as const satisfies EmailState[];

/** Status that clients see when an email enters a state; null if the status does not change. */
export const STATUS_BY_STATE = {
  queued: 'QUEUED',
  sending: null,
  sent: 'SENT',
  failed: 'FAILED',
  // The only public status that does not imply whether the email was sent.
  unknown: 'DELIVERY_DELAYED',
  cancelled: 'CANCELLED',
  suppressed: 'SUPPRESSED',
} as const satisfies Record<EmailState, EmailStatus | null>;

interface EmailTransition {
  /** Name in the diagram in docs/guides/delivery.md. */
  name: string;
  /** Required lease (`lease_by`, `lease_until`), and what happens to it in the transition. */
  lease: string;
  moves: Partial<Record<EmailState, readonly EmailState[]>>;
}

export const EMAIL_TRANSITIONS = {
  claim: {
    name: 'claim',
    lease: 'none before; the worker takes one',
    moves: { queued: ['sending'] },
  },
  recordOutcome: {
    name: 'outcome',
    lease:
      "the worker's own lease, which ends. After a lease expires, `lease_by` remains, so that a late outcome " +
      'still counts',
    moves: {
      sending: ['sent', 'queued', 'failed', 'unknown', 'suppressed', 'cancelled'],
      unknown: ['sent', 'queued', 'failed', 'suppressed', 'cancelled'],
      // Retries the deferred recipients; others have received the email.
      sent: ['queued'],
    },
  },
  keepMessage: {
    name: 'outbox',
    lease: "the worker's own lease, which remains until the outcome is recorded",
    moves: { sending: ['sent'] },
  },
  requeue: {
    name: 'lease expired',
    lease: 'an expired lease, or the lease of a claim whose response was lost. It ends',
    moves: { sending: ['queued'] },
  },
  markLost: {
    name: 'lease expired',
    lease: 'an expired lease. `lease_by` remains, so that a late outcome still counts',
    moves: { sending: ['unknown', 'sent'] },
  },
  sendAgain: {
    name: 'send again',
    lease: 'none afterward, so a late outcome does not count',
    // A sent email is queued only for recipients that it has not reached.
    moves: { unknown: ['queued'], failed: ['queued'], suppressed: ['queued'], sent: ['queued'] },
  },
  giveUp: {
    name: 'give up',
    lease: 'none afterward, so a late outcome does not count',
    moves: { queued: ['failed', 'sent'], unknown: ['failed', 'sent'] },
  },
  cancel: {
    name: 'cancel',
    lease: 'none, because no worker owns the email',
    moves: { queued: ['cancelled'] },
  },
  applyReport: {
    name: 'report',
    lease: 'none afterward, because the report overrides a late outcome',
    moves: { unknown: ['sent', 'failed'], failed: ['sent'], queued: ['sent'] },
  },
} as const satisfies Record<string, EmailTransition>;

export type EmailTransitionName = keyof typeof EMAIL_TRANSITIONS;

export const getTransition = (name: EmailTransitionName): EmailTransition => EMAIL_TRANSITIONS[name];

/** Reason stored on a waiting email if its campaign was paused after a worker had claimed the email. */
export const PAUSED_REASON = 'Its campaign is paused.';
