import { z } from '@hono/zod-openapi';
import { limits } from '../../../src/limits.ts';
import { pageQuery } from '../whole-number.ts';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });
const texts = z.array(text);

const STATUSES = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'] as const;

const short = {
  id: text,
  name: text,
  from: text,
  subject: text,
  createdAt: instant,
  updatedAt: instant,
  status: z.enum(STATUSES),
  scheduledAt: instant.nullable(),
  total: z.int(),
  sent: z.int(),
  delivered: z.int(),
  unsubscribed: z.int(),
};

export const Campaign = z
  .object({
    ...short,
    teamId: z.int(),
    previewText: text.nullable(),
    contactBookId: text.nullable(),
    html: text.nullable(),
    content: text.nullable(),
    batchSize: z.int(),
    batchWindowMinutes: z.int(),
    opened: z.int(),
    clicked: z.int(),
    bounced: z.int(),
    hardBounced: z.int(),
    complained: z.int(),
    replyTo: texts,
    cc: texts,
    bcc: texts,
    reason: text.nullable().openapi({ description: 'Why it is paused, when nobody paused it.' }),
  })
  .openapi('Campaign');

export const CampaignPage = z
  .object({ campaigns: z.array(z.object(short).openapi('CampaignItem')), totalPage: z.int() })
  .openapi('CampaignPage');

const addresses = z
  .union([text.min(1).transform((one) => [one]), z.array(text.min(1))], {
    error: 'must be a text or a list of texts',
  })
  .nullish();

const scheduledAt = text.nullish().openapi({
  description:
    'ISO 8601 with Z, an offset or none (UTC), or words such as "tomorrow 9am", "in 2 hours", "next monday at 09:00" (UTC). Not more than a few minutes past.',
});
const batchSize = z
  .int()
  .min(1)
  .max(limits.campaign.batch)
  .nullish()
  .openapi({ description: 'Contacts that are written to at once.' });

export const NewCampaign = z
  .object({
    name: text.min(1),
    from: text.min(1),
    subject: text.min(1),
    contactBookId: text.min(1),
    previewText: text.nullish(),
    content: text.nullish().openapi({ description: 'JSON of the block editor.' }),
    html: text.nullish(),
    replyTo: addresses,
    cc: addresses,
    bcc: addresses,
    sendNow: z.boolean().nullish(),
    scheduledAt,
    batchSize,
  })
  .openapi('NewCampaign', {
    description:
      'content or html is required, with {{usesend_unsubscribe_url}} in it. Texts may name {{email}}, {{firstName}}, {{lastName}} and the variables of the book, also as {{name, fallback=value}}; a campaign that names any other is not sent.',
  });

export const Schedule = z.object({ scheduledAt, batchSize }).openapi('CampaignSchedule');

export const CampaignQuery = z.object({
  page: pageQuery,
  status: z.enum(STATUSES).optional(),
  search: text.optional().openapi({ description: 'Part of the name or the subject.' }),
});
