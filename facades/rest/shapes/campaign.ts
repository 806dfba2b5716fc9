import { z } from '@hono/zod-openapi';
import type { Operations } from '../../../src/engine/operation/operation.ts';
import { buildInputSchema, defineBody } from '../input-schema.ts';
import { buildShapeList, referToShape } from '../shape-references.ts';
import { pageQuery } from '../whole-number.ts';

const text = z.string();

const STATUSES = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'] as const;

export const CampaignBody = referToShape('Campaign');

export const CampaignPage = z
  .object({
    campaigns: z
      .array(z.unknown())
      .openapi({ ...buildShapeList('CampaignItem'), description: 'Campaigns on this page, newest first.' }),
    totalPage: z.int().describe('Number of pages.'),
  })
  .openapi('CampaignPage', { description: 'One page of campaigns.' });

type NewCampaignBody = Operations['campaignCreate']['args']['campaign'];

export const NewCampaign = defineBody<NewCampaignBody>('NewCampaign', () =>
  omitDelivery(buildInputSchema('CampaignInput', { delivery })),
);

type ScheduleBody = Pick<NewCampaignBody, 'scheduledAt' | 'batchSize' | 'batchWindowMinutes'>;

export const Schedule = defineBody<ScheduleBody>('CampaignSchedule', () =>
  omitDelivery(
    buildInputSchema('CampaignInput', { delivery })
      .pick({ scheduledAt: true, batchSize: true, batchWindowMinutes: true, delivery: true })
      .openapi({ description: 'When to send a campaign. Without a time, it is sent immediately.' }),
  ),
);

/** A request for gradual delivery. Rejected, because ignoring it would send the campaign to all contacts at once. */
const delivery = z
  .null({ error: 'is not supported. Use `batchSize` and `batchWindowMinutes` to send gradually.' })
  .optional()
  .describe('Not supported. Use `batchSize` and `batchWindowMinutes` to send gradually.');

const omitDelivery = (schema: z.ZodObject) => schema.transform(({ delivery: _, ...body }) => body);

export const CampaignQuery = z.object({
  page: pageQuery,
  status: z.enum(STATUSES).optional().describe('Only campaigns with this status.'),
  search: text
    .optional()
    .openapi({ description: 'Only campaigns whose name or subject contains this text, ignoring case.' }),
});
