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

/** Events that a provider reports only of an email it has taken. */
const TAKEN: ReadonlySet<EmailStatus> = new Set<EmailStatus>([
  'SENT',
  'DELIVERY_DELAYED',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
]);

export const isTaken = (status: EmailStatus): boolean => TAKEN.has(status);

export const rankOf = (status: EmailStatus): number => STATUSES.indexOf(status);
