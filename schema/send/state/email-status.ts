/** The statuses of an email, in the order in which one replaces another; events come in any order. */
export const STATUSES = [
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
export type EmailStatus = (typeof STATUSES)[number];

/** The place of each in that order. */
export const RANKS = Object.fromEntries(STATUSES.map((status, rank) => [status, rank])) as Record<
  EmailStatus,
  number
>;

/** Those that a provider reports only of an email it has taken: from SENT to COMPLAINED. */
export const TAKEN: ReadonlySet<EmailStatus> = new Set(
  STATUSES.filter((_, rank) => rank >= RANKS.SENT && rank <= RANKS.COMPLAINED),
);
