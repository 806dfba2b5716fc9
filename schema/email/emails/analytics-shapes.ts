import { defineFacadeShape, defineTypedShape, type ShapeParts } from '../../../src/engine/operation/shape.ts';
import type { Counter } from '../state/usage.ts';

export const COUNTER_FIELDS = {
  sent: {
    type: 'Int',
    description: 'Emails handed over to the provider or relay, including emails rejected as undeliverable.',
  },
  delivered: { type: 'Int', description: "Emails accepted by the recipient's mail server." },
  opened: { type: 'Int', description: 'Emails opened at least once. Requires open tracking.' },
  clicked: { type: 'Int', description: 'Emails with at least one clicked link. Requires click tracking.' },
  bounced: { type: 'Int', description: 'Emails that bounced, permanently or temporarily.' },
  complained: { type: 'Int', description: 'Emails reported as spam.' },
} as const satisfies ShapeParts;

/** Counters that clients receive. Statistics count all bounces; the reputation counts only permanent ones. */
export const PUBLIC_COUNTERS = Object.keys(COUNTER_FIELDS) as Exclude<Counter, 'hard_bounced'>[];

const Counts = defineTypedShape('EmailCounts', 'Email counts by outcome.', COUNTER_FIELDS, {
  inline: true,
});

const Period = defineTypedShape('EmailStatisticsPeriod', 'Email counts of a period by outcome.', {
  date: { type: 'Date', description: 'First day of the period (UTC).' },
  ...COUNTER_FIELDS,
});

export const EmailStatistics = defineTypedShape(
  'EmailStatistics',
  'Email counts by period, and their totals.',
  {
    periods: {
      type: [Period],
      description: 'Counts per period, oldest first. Includes periods without emails.',
    },
    totals: { type: Counts, description: 'Totals of all periods.' },
  },
);

defineFacadeShape('EmailTimeSeries', 'Daily email counts and their totals.', {
  result: {
    type: [
      defineFacadeShape(
        'EmailTimeSeriesDay',
        'Email counts of a day by outcome.',
        {
          date: { type: 'String', form: { example: 'Nov 20' }, description: 'Day (UTC) as `Mon DD`.' },
          ...COUNTER_FIELDS,
        },
        { inline: true },
      ),
    ],
    description: 'Counts per day, oldest first. Includes days without emails.',
  },
  totalCounts: { type: Counts, description: 'Totals of all returned days.' },
});

const PERCENT = 'as a percentage of sent emails; 0 if none were sent.';

export const Reputation = defineTypedShape('ReputationMetrics', 'All-time bounce and complaint rates.', {
  sent: { type: 'Int', description: 'All-time number of emails handed over to the provider or relay.' },
  delivered: {
    type: 'Int',
    description: 'All-time number of delivered emails. A relay does not report deliveries.',
  },
  hardBounced: { type: 'Int', description: 'All-time number of emails that bounced permanently.' },
  complained: { type: 'Int', description: 'All-time number of emails reported as spam.' },
  bounceRate: { type: 'Float', description: `Permanent bounces ${PERCENT}` },
  complaintRate: { type: 'Float', description: `Complaints ${PERCENT}` },
});

export const UsageDay = defineTypedShape('UsageDay', 'Email counts of a day and a domain by outcome.', {
  day: { type: 'Date', description: 'Day (UTC).' },
  domainId: {
    type: 'ID',
    nullable: true,
    description: 'Sending domain; null for emails without one.',
  },
  ...COUNTER_FIELDS,
  hardBounced: { type: 'Int', description: 'Emails that bounced permanently.' },
});
