import { z } from '@hono/zod-openapi';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });
const texts = z.array(z.string());

const item = {
  id: text,
  to: texts,
  replyTo: texts,
  cc: texts,
  bcc: texts,
  from: text,
  subject: text,
  html: text.nullable(),
  text: text.nullable(),
  createdAt: instant,
  updatedAt: instant,
  latestStatus: text.openapi({ example: 'DELIVERED' }),
  scheduledAt: instant.nullable(),
  domainId: z.int().nullable(),
};

const EmailEvent = z
  .object({
    emailId: text,
    status: text,
    createdAt: instant,
    data: z.record(z.string(), z.unknown()).nullable(),
  })
  .openapi('EmailEvent');

const EmailItem = z.object(item).openapi('EmailItem');

export const EmailPage = z
  .object({ data: z.array(EmailItem), count: z.int().openapi({ description: 'Of all emails that match.' }) })
  .openapi('EmailPage');

export const Email = z
  .object({
    ...item,
    teamId: z.int(),
    state: text,
    reason: text.nullable(),
    suppressed: texts.openapi({
      description: 'Those it was for who are on the suppression list and were left out, as they were given.',
    }),
    templateId: text.nullable(),
    tags: z.record(z.string(), text).nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    emailEvents: z.array(EmailEvent),
  })
  .openapi('Email');

export const EmailId = z.object({ emailId: text }).openapi('EmailId');

export const SentBody = EmailId.extend({ data: EmailId }).openapi('Sent');

export const SentBatch = z
  .object({ data: z.array(EmailId) })
  .openapi('SentBatch', { description: 'In the order of the request.' });
