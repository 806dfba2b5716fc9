import { z } from '@hono/zod-openapi';

const counts = {
  sent: z.int(),
  delivered: z.int(),
  opened: z.int(),
  clicked: z.int(),
  bounced: z.int(),
  complained: z.int(),
};

export const EmailTimeSeries = z
  .object({
    result: z.array(z.object({ date: z.string().openapi({ example: 'Nov 20' }), ...counts })),
    totalCounts: z.object(counts),
  })
  .openapi('EmailTimeSeries');

export const ReputationMetrics = z
  .object({
    delivered: z.int(),
    hardBounced: z.int(),
    complained: z.int(),
    bounceRate: z.number().openapi({ description: 'Percent of the delivered ones; 0 when there are none.' }),
    complaintRate: z.number().openapi({ description: 'Likewise.' }),
  })
  .openapi('ReputationMetrics');
