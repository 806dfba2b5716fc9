import { z } from '@hono/zod-openapi';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });
const texts = z.array(z.string());

const item = {
  id: text.describe('Unique identifier of the email.'),
  to: texts.describe('Recipients.'),
  replyTo: texts.describe('Addresses that replies go to.'),
  cc: texts.describe('Cc recipients.'),
  bcc: texts.describe('Bcc recipients.'),
  from: text.describe('Sender, as given in the request.'),
  subject: text.describe('Subject line.'),
  html: text.nullable().describe('HTML body; null once it has been purged.'),
  text: text.nullable().describe('Plain text body; null once it has been purged.'),
  createdAt: instant.describe('When the email was accepted.'),
  updatedAt: instant.describe('When the email was last changed.'),
  latestStatus: text.openapi({
    example: 'DELIVERED',
    description: 'Furthest status so far, such as QUEUED, SENT, DELIVERED or BOUNCED.',
  }),
  scheduledAt: instant.nullable().describe('When to send; null if it was sent immediately.'),
  domainId: z.int().nullable().describe('Sending domain.'),
};

const EmailEvent = z
  .object({
    emailId: text.describe('Email the event belongs to.'),
    status: text.describe('Status reported by the event.'),
    createdAt: instant.describe('When the event happened.'),
    data: z.record(z.string(), z.unknown()).nullable().describe('Details; the fields depend on the status.'),
  })
  .openapi('EmailEvent', { description: 'Something that happened to an email.' });

const EmailItem = z.object(item).openapi('EmailItem', { description: 'Summary of an email.' });

export const EmailPage = z
  .object({
    data: z.array(EmailItem).describe('Emails of this page, newest first.'),
    count: z.int().describe('Number of matching emails on all pages.'),
  })
  .openapi('EmailPage', { description: 'One page of emails.' });

export const Email = z
  .object({
    ...item,
    teamId: z.int().describe('Identifier of the Team that sent the email.'),
    state: text.describe(
      'Position in the sending queue: queued, sending, sent, failed, unknown, cancelled or suppressed.',
    ),
    reason: text.nullable().describe('Why the email failed, was cancelled or is still waiting.'),
    suppressed: texts.describe('Recipients skipped because they are on the suppression list.'),
    templateId: text.nullable().describe('Template the email was rendered from.'),
    tags: z.record(z.string(), text).nullable().describe('Tags given in the request.'),
    metadata: z.record(z.string(), z.unknown()).nullable().describe('Metadata given in the request.'),
    emailEvents: z.array(EmailEvent).describe('Events, oldest first.'),
  })
  .openapi('Email', { description: 'An email with its events.' });

export const EmailId = z
  .object({ emailId: text.describe('Identifier of the email.') })
  .openapi('EmailId', { description: 'Identifies an email.' });

export const SentBody = EmailId.extend({ data: EmailId }).openapi('Sent');

export const SentBatch = z
  .object({ data: z.array(EmailId).describe('Identifiers of the accepted emails, in request order.') })
  .openapi('SentBatch', { description: 'Identifies the accepted emails.' });
