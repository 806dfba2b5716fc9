import type { EmailStatus } from './email-status.ts';

/**
 * The life of an email on one page. Its `state` is what the queue works by; its `latest_status` is what clients see,
 * and moves on its own as the provider reports. Every change of state goes through `moveEmails` (move-emails.ts), and
 * Postgres refuses what is not in `MOVES` (the trigger `state` of svc_email).
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

/** The states in which an email is accepted. */
export const INITIAL_STATES = ['queued', 'suppressed'] as const satisfies EmailState[];

/** The status that clients see of an email as it comes into a state; null where the status stays. */
export const STATUS_BY_STATE = {
  queued: 'QUEUED',
  sending: null,
  sent: 'SENT',
  failed: 'FAILED',
  // Of the statuses that clients know, the one that says neither that it is out nor that it is not.
  unknown: 'DELIVERY_DELAYED',
  cancelled: 'CANCELLED',
  suppressed: 'SUPPRESSED',
} as const satisfies Record<EmailState, EmailStatus | null>;

/** Somebody who moves emails. */
interface EmailTransition {
  /** As the diagram in docs/guides/delivery.md names it. */
  name: string;
  /** Under which lease (`lease_by`, `lease_until`), and what becomes of it. */
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
      "the worker's own, which ends; `lease_by` outlives an expired lease, so that a late outcome counts",
    moves: {
      sending: ['sent', 'queued', 'failed', 'unknown', 'suppressed', 'cancelled'],
      unknown: ['sent', 'queued', 'failed', 'suppressed', 'cancelled'],
      // Some have received it; others were put off, and are written to again.
      sent: ['queued'],
    },
  },
  keepMessage: {
    name: 'outbox',
    lease: "the worker's own, which stays until the outcome is recorded",
    moves: { sending: ['sent'] },
  },
  requeue: {
    name: 'lease expired',
    lease: 'one that has expired, or of a claim whose answer the worker never got; it ends',
    moves: { sending: ['queued'] },
  },
  markLost: {
    name: 'lease expired',
    lease: 'one that has expired; `lease_by` stays for a late outcome',
    moves: { sending: ['unknown', 'sent'] },
  },
  sendAgain: {
    name: 'send again',
    lease: 'none afterwards: a late outcome does not count',
    // Of one that is sent: those of its recipients whom it has not reached.
    moves: { unknown: ['queued'], failed: ['queued'], suppressed: ['queued'], sent: ['queued'] },
  },
  giveUp: {
    name: 'give up',
    lease: 'none afterwards: a late outcome does not count',
    moves: { queued: ['failed', 'sent'], unknown: ['failed', 'sent'] },
  },
  cancel: {
    name: 'cancel',
    lease: 'none: no worker has it',
    moves: { queued: ['cancelled'] },
  },
  applyReport: {
    name: 'report',
    lease: 'none afterwards: the provider knows better than a late outcome',
    moves: { unknown: ['sent', 'failed'], failed: ['sent'], queued: ['sent'] },
  },
} as const satisfies Record<string, EmailTransition>;

export type EmailTransitionName = keyof typeof EMAIL_TRANSITIONS;

export const getTransition = (name: EmailTransitionName): EmailTransition => EMAIL_TRANSITIONS[name];

/** The states that an email may move to from each; a state without any is final. */
export const NEXT_STATES: Readonly<Record<EmailState, readonly EmailState[]>> = Object.fromEntries(
  EMAIL_STATES.map((from) => {
    const targets = Object.values<EmailTransition>(EMAIL_TRANSITIONS).flatMap(
      ({ moves }) => moves[from] ?? [],
    );
    return [from, EMAIL_STATES.filter((to) => targets.includes(to))];
  }),
) as Record<EmailState, EmailState[]>;

/** The reason of an email that was on its way when its campaign was paused, and waits. */
export const PAUSED_REASON = 'Its campaign is paused.';
