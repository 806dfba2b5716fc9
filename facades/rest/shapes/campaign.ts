import { z } from '@hono/zod-openapi';
import { limits } from '../../../src/limits.ts';
import { pageQuery } from '../whole-number.ts';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });
const texts = z.array(text);

const STATUSES = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'] as const;

const short = {
  id: text.describe('Unique identifier of the campaign.'),
  name: text.describe('Name shown in lists. Recipients never see it.'),
  from: text.describe('Sender, as `Name <address>` or a bare address.'),
  subject: text.describe('Subject line. May contain variables.'),
  createdAt: instant.describe('When the campaign was created.'),
  updatedAt: instant.describe('When the campaign was last changed.'),
  status: z
    .enum(STATUSES)
    .describe('SENT once an email has been created for every contact; some may still be queued.'),
  scheduledAt: instant.nullable().describe('When sending starts; null for a draft.'),
  total: z.int().describe('Subscribed contacts when the campaign was scheduled.'),
  sent: z.int().describe('Emails accepted by the provider.'),
  delivered: z.int().describe("Emails accepted by the recipient's mail server."),
  unsubscribed: z.int().describe('Contacts that unsubscribed through a link in this campaign.'),
};

export const Campaign = z
  .object({
    ...short,
    teamId: z.int().describe('Identifier of the Team that owns the campaign.'),
    previewText: text.nullable().describe('Text shown after the subject in an inbox.'),
    contactBookId: text.nullable().describe('Contact book it is sent to; null if the book was deleted.'),
    html: text.nullable().describe('HTML body, with variables.'),
    content: text.nullable().describe('Block editor document (JSON), if the campaign was created from one.'),
    batchSize: z.int().describe('Contacts processed in one step.'),
    batchWindowMinutes: z.int().describe('Minutes between batches. Always 0.'),
    opened: z.int().describe('Emails opened at least once. Needs open tracking.'),
    clicked: z
      .int()
      .describe(
        'Emails with at least one clicked link, not counting unsubscribe links. Needs click tracking.',
      ),
    bounced: z.int().describe('Emails that bounced, permanently or temporarily.'),
    hardBounced: z.int().describe('Emails that bounced permanently.'),
    complained: z.int().describe('Emails reported as spam.'),
    replyTo: texts.describe('Addresses that replies go to.'),
    cc: texts.describe('Addresses that get a copy of every email.'),
    bcc: texts.describe('Addresses that get a blind copy of every email.'),
    reason: text
      .nullable()
      .describe('Why the server paused the campaign; null if a person did, or if it is not paused.'),
  })
  .openapi('Campaign', { description: 'An email to every subscribed contact of a book, and its results.' });

export const CampaignPage = z
  .object({
    campaigns: z
      .array(z.object(short).openapi('CampaignItem', { description: 'Summary of a campaign.' }))
      .describe('Campaigns of this page, newest first.'),
    totalPage: z.int().describe('Number of pages.'),
  })
  .openapi('CampaignPage', { description: 'One page of campaigns.' });

const addresses = z
  .union([text.min(1).transform((one) => [one]), z.array(text.min(1))], {
    error: 'must be a string or an array of strings',
  })
  .nullish();

const scheduledAt = text.nullish().openapi({
  description:
    'When to send: ISO 8601 (UTC if no offset), or a phrase in UTC such as "tomorrow 9am", "in 2 hours" or ' +
    '"next monday at 09:00". A time more than a few minutes in the past is rejected.',
});
const batchSize = z
  .int()
  .min(1)
  .max(limits.campaign.batch)
  .nullish()
  .openapi({ description: 'Contacts processed in one step. It does not limit the sending rate.' });

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
  })
  .openapi('NewCampaign', {
    description:
      'Requires `content` or `html`, which must contain {{usesend_unsubscribe_url}}. Supported variables are ' +
      '{{email}}, {{firstName}}, {{lastName}} and those of the contact book, each optionally with a fallback: ' +
      '{{name, fallback=value}}. A campaign that uses any other variable is not sent.',
  });

export const Schedule = z.object({ scheduledAt, batchSize }).openapi('CampaignSchedule', {
  description: 'When to send a campaign. Without a time it is sent immediately.',
});

export const CampaignQuery = z.object({
  page: pageQuery,
  status: z.enum(STATUSES).optional().describe('Only campaigns with this status.'),
  search: text.optional().openapi({ description: 'Text in the name or subject, in any case.' }),
});
