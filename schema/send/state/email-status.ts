/** The statuses of an email, in the order in which one replaces another; events come in any order. */
export const EMAIL_STATUSES = [
  'SCHEDULED',
  'QUEUED',
  'SENT',
  'DELIVERY_DELAYED',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'REJECTED',
  'RENDERING_FAILURE',
  'CANCELLED',
  'FAILED',
  'SUPPRESSED',
] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

/** The place of each in that order. */
export const STATUS_RANKS = Object.fromEntries(
  EMAIL_STATUSES.map((status, rank) => [status, rank]),
) as Record<EmailStatus, number>;

/** Those that a provider reports only of an email it has taken: from SENT to COMPLAINED. */
export const PROVIDER_STATUSES: ReadonlySet<EmailStatus> = new Set(
  EMAIL_STATUSES.filter((_, rank) => rank >= STATUS_RANKS.SENT && rank <= STATUS_RANKS.COMPLAINED),
);
