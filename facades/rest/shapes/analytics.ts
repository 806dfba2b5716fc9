import { z } from '@hono/zod-openapi';

const counts = {
  sent: z.int().describe('Emails accepted by the provider.'),
  delivered: z.int().describe("Emails accepted by the recipient's mail server."),
  opened: z.int().describe('Emails opened at least once. Needs open tracking.'),
  clicked: z.int().describe('Emails with at least one clicked link. Needs click tracking.'),
  bounced: z.int().describe('Emails that bounced, permanently or temporarily.'),
  complained: z.int().describe('Emails reported as spam.'),
};

export const EmailTimeSeries = z
  .object({
    result: z
      .array(
        z.object({
          date: z.string().openapi({ example: 'Nov 20', description: 'Day (UTC) as `Mon DD`.' }),
          ...counts,
        }),
      )
      .describe('One row per day, oldest first. Days without emails have zeros.'),
    totalCounts: z.object(counts).describe('Sums over all returned days.'),
  })
  .openapi('EmailTimeSeries', { description: 'Daily email counts and their totals.' });

export const ReputationMetrics = z
  .object({
    delivered: z.int().describe('Emails delivered, all time.'),
    hardBounced: z.int().describe('Emails that bounced permanently, all time.'),
    complained: z.int().describe('Emails reported as spam, all time.'),
    bounceRate: z
      .number()
      .describe('Permanent bounces as a percentage of delivered emails; 0 if none were delivered.'),
    complaintRate: z
      .number()
      .describe('Complaints as a percentage of delivered emails; 0 if none were delivered.'),
  })
  .openapi('ReputationMetrics', { description: 'All-time bounce and complaint rates.' });
