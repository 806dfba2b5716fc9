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
  // Automatic replies are stored as bounces, too.
  bounced: {
    events: { some: { status: { eq: 'BOUNCED' }, not: { data: { contains: { autoReply: true } } } } },
  },
  complained: hasHad('COMPLAINED'),
  failed: { latestStatus: { in: ['FAILED', 'REJECTED', 'RENDERING_FAILURE'] } },
  skipped: { latestStatus: { in: ['SUPPRESSED', 'CANCELLED'] } },
  unsubscribed: { unsubscribedAt: { isNull: false } },
} as const satisfies Record<string, EmailWhere>;

type RecipientState = keyof typeof FILTERS;

export const RECIPIENT_STATES = Object.keys(FILTERS) as RecipientState[];

export const buildRecipientFilter = (campaign: string, state: RecipientState | undefined): EmailWhere => ({
  campaign: { id: { eq: campaign } },
  ...(state && FILTERS[state]),
});
