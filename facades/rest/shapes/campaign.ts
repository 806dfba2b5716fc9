import { z } from '@hono/zod-openapi';
import { limits } from '../../../src/limits.ts';
import { listOfShaped, referToShape } from '../shape-references.ts';
import { pageQuery } from '../whole-number.ts';

const text = z.string();

const STATUSES = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'] as const;

export const CampaignBody = referToShape('Campaign');

export const CampaignPage = z
  .object({
    campaigns: z
      .array(z.unknown())
      .openapi({ ...listOfShaped('CampaignItem'), description: 'Campaigns of this page, newest first.' }),
    totalPage: z.int().describe('Number of pages.'),
  })
  .openapi('CampaignPage', { description: 'One page of campaigns.' });

const addresses = z
  .union([text.min(1).transform((item) => [item]), z.array(text.min(1))], {
    error: 'must be a string or an array of strings',
  })
  .nullish();

const scheduledAt = text.nullish().openapi({
  description:
    'When to send: ISO 8601 (UTC if no offset), or a phrase in UTC such as "tomorrow 9am", "in 2 hours" or ' +
    '"next monday at 09:00". A time more than a few minutes in the past is rejected.',
});
const batchSize = z.int().min(1).max(limits.campaign.batch).nullish().openapi({
  description:
    'Contacts processed in one step. It limits the sending rate only together with `batchWindowMinutes`.',
});
const batchWindowMinutes = z.int().min(0).max(limits.campaign.window).nullish().openapi({
  description: 'Minutes between two steps. With 0, each step starts immediately after the previous one.',
});

/** Requests slower delivery. Ignoring it would send the campaign to all contacts at once. */
const delivery = z
  .null({ error: 'is not supported. Use `batchSize` and `batchWindowMinutes` to send gradually.' })
  .optional()
  .describe('Not supported. Use `batchSize` and `batchWindowMinutes` to send gradually.');

export const NewCampaign = z
  .object({
    name: text.min(1).describe('Name shown in lists. Recipients never see it.'),
    from: text.min(1).describe('Sender, as `Name <address>` or a bare address on a verified domain.'),
    subject: text.min(1).describe('Subject line. May contain variables.'),
    contactBookId: text.min(1).describe('Contact book to send to.'),
    previewText: text.nullish().describe('Text shown after the subject in an inbox.'),
    content: text
      .nullish()
      .describe(
        'Block editor document (JSON). Required without `html`; if both are given, this one is used.',
      ),
    html: text.nullish().describe('HTML body. Required without `content`.'),
    replyTo: addresses.describe('Addresses that replies go to.'),
    cc: addresses.describe('Addresses that get a copy of every email.'),
    bcc: addresses.describe('Addresses that get a blind copy of every email.'),
    sendNow: z.boolean().nullish().describe('Send immediately. Do not combine with `scheduledAt`.'),
    scheduledAt,
    batchSize,
    batchWindowMinutes,
    delivery,
  })
  .openapi('NewCampaign', {
    description:
      'Requires `content` or `html`, which must contain {{usesend_unsubscribe_url}}. Supported variables are ' +
      '{{email}}, {{firstName}}, {{lastName}} and those of the contact book, each optionally with a fallback: ' +
      '{{name, fallback=value}}. A campaign that uses any other variable is not sent.',
  });

export const Schedule = z
  .object({ scheduledAt, batchSize, batchWindowMinutes, delivery })
  .openapi('CampaignSchedule', {
    description: 'When to send a campaign. Without a time it is sent immediately.',
  });

export const CampaignQuery = z.object({
  page: pageQuery,
  status: z.enum(STATUSES).optional().describe('Only campaigns with this status.'),
  search: text.optional().openapi({ description: 'Text in the name or subject, ignoring case.' }),
});
