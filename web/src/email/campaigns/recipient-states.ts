import type { EmailStatus } from './generated.ts';

/** Latest email statuses by recipient state. An opened email, for example, also counts as sent and delivered. */
const STATUSES_BY_STATE = {
  waiting: ['SCHEDULED', 'QUEUED'],
  sent: ['SENT', 'DELIVERY_DELAYED', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED'],
  delivered: ['DELIVERED', 'OPENED', 'CLICKED', 'COMPLAINED'],
  opened: ['OPENED', 'CLICKED'],
  clicked: ['CLICKED'],
  bounced: ['BOUNCED'],
  complained: ['COMPLAINED'],
  failed: ['FAILED', 'REJECTED', 'RENDERING_FAILURE'],
  skipped: ['SUPPRESSED', 'CANCELLED'],
} as const satisfies Record<string, readonly EmailStatus[]>;

export type RecipientState = keyof typeof STATUSES_BY_STATE | 'unsubscribed';

export const RECIPIENT_STATES = [...Object.keys(STATUSES_BY_STATE), 'unsubscribed'] as RecipientState[];

/** Returns the variables of `CampaignEmails` that select recipients by state. */
export const selectState = (state: RecipientState | undefined) =>
  state === 'unsubscribed' ? { isSubscribed: false } : { statuses: state && [...STATUSES_BY_STATE[state]] };
