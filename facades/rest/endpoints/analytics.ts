import { z } from '@hono/zod-openapi';
import { call } from '../../../src/engine/operation/call.ts';
import { createEndpointFactory } from '../endpoint.ts';
import { buildResponses } from '../envelope.ts';
import { referToShape } from '../shape-references.ts';
import { domainNumber } from '../whole-number.ts';

const domainId = domainNumber.optional().openapi({ description: 'Only emails sent from this domain.' });

const SeriesQuery = z.object({
  days: z
    .enum(['7', '30'], { error: 'must be 7 or 30' })
    .transform(Number)
    .optional()
    .openapi({
      type: 'string',
      enum: ['7', '30'],
      default: '30',
      description: 'Number of days before today to include.',
    }),
  domainId,
});

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const formatShortDay = (date: string): string => `${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(8)}`;

const MetricsQuery = z.object({ domainId });

const defineEndpoint = createEndpointFactory('Analytics');

export const analytics = [
  defineEndpoint({
    at: 'GET /v1/analytics/email-time-series',
    operationId: 'emailTimeSeries',
    summary: 'Get email counts by day',
    description: 'Days are in UTC. Without `domainId`, the counts include all domains of the workspace.',
    responses: buildResponses(
      'One row per day (UTC) up to today, and totals. Each email counts at most once per column, on the day it ' +
        'first happened.',
      referToShape('EmailTimeSeries'),
      400,
    ),
    query: SeriesQuery,
    async run(ctx, { query }) {
      const { periods, totals } = await call(ctx, 'emailStatistics', query);
      const result = periods.map(({ date, ...counts }) => ({
        date: formatShortDay(String(date)),
        ...counts,
      }));
      return JSON.stringify({ result, totalCounts: totals });
    },
  }),
  defineEndpoint({
    at: 'GET /v1/analytics/reputation-metrics',
    operationId: 'reputationMetrics',
    summary: 'Get bounce and complaint rates',
    description:
      'Providers review accounts with a bounce rate of 5% or a complaint rate of 0.1%. Stay well below both.',
    responses: buildResponses(
      'All-time counts, and rates as percentages.',
      referToShape('ReputationMetrics'),
      400,
    ),
    query: MetricsQuery,
    run: async (ctx, { query }) => JSON.stringify(await call(ctx, 'reputation', query)),
  }),
];
