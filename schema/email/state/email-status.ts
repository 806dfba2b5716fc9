/** In ascending order of precedence, because events may arrive in any order. */
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

export const STATUS_RANKS = Object.fromEntries(
  EMAIL_STATUSES.map((status, rank) => [status, rank]),
) as Record<EmailStatus, number>;

/** Statuses that imply that the provider accepted the email: SENT to COMPLAINED. */
export const PROVIDER_STATUSES: ReadonlySet<EmailStatus> = new Set(
  EMAIL_STATUSES.filter((_, rank) => rank >= STATUS_RANKS.SENT && rank <= STATUS_RANKS.COMPLAINED),
);
