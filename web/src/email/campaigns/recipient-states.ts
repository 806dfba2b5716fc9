import type { EmailStatus, EmailWhere } from './generated.ts';

const hasHad = (status: EmailStatus): EmailWhere => ({ events: { some: { status: { eq: status } } } });

/**
 * Emails by recipient state, with the same numbers as the campaign's results. An email that was opened and then
 * reported as spam, for example, also counts as opened.
 */
const FILTERS = {
  waiting: { latestStatus: { in: ['SCHEDULED', 'QUEUED'] } },
  sent: { state: { eq: 'SENT' } },
  delivered: hasHad('DELIVERED'),
  opened: hasHad('OPENED'),
  clicked: hasHad('CLICKED'),
  // Events of automatic replies are bounces, too, but do not change the status.
  bounced: {
    or: [{ latestStatus: { eq: 'BOUNCED' } }, { latestStatus: { eq: 'COMPLAINED' }, ...hasHad('BOUNCED') }],
  },
  complained: hasHad('COMPLAINED'),
  failed: { latestStatus: { in: ['FAILED', 'REJECTED', 'RENDERING_FAILURE'] } },
  skipped: { latestStatus: { in: ['SUPPRESSED', 'CANCELLED'] } },
  unsubscribed: { unsubscribedAt: { isNull: false } },
} as const satisfies Record<string, EmailWhere>;

export type RecipientState = keyof typeof FILTERS;

export const RECIPIENT_STATES = Object.keys(FILTERS) as RecipientState[];

export const buildRecipientFilter = (campaign: string, state: RecipientState | undefined): EmailWhere => ({
  campaign: { id: { eq: campaign } },
  ...(state && FILTERS[state]),
});
