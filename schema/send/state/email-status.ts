/** The statuses of an email, in the order in which one replaces another; events come in any order. */
const STATUSES = [
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

export const rankOf = (status: EmailStatus): number => STATUSES.indexOf(status);

/** Whether a provider reports it only of an email it has taken: from SENT to COMPLAINED. */
export const isTaken = (status: EmailStatus): boolean =>
  rankOf(status) >= rankOf('SENT') && rankOf(status) <= rankOf('COMPLAINED');
