import { z } from '@hono/zod-openapi';

const text = z.string();

export const EmailId = z
  .object({ emailId: text.describe('Identifier of the email.') })
  .openapi('EmailId', { description: 'The id of an email.' });

export const SentBody = EmailId.extend({ data: EmailId }).openapi('Sent');

export const SentBatch = z
  .object({ data: z.array(EmailId).describe('Identifiers of the accepted emails, in request order.') })
  .openapi('SentBatch', { description: 'The ids of the accepted emails.' });
