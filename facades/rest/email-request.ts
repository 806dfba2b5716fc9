import { z } from '@hono/zod-openapi';
import { limits } from '../../src/limits.ts';
import { instant } from './instants.ts';

const recipients = (description: string) =>
  z
    .union([z.string().transform((one) => [one]), z.array(z.string())], {
      error: 'must be a text or a list of texts',
    })
    .openapi({ description });

/** A forwarder that has no HTML sends `false`, and some have sent it as a word. */
const html = z
  .union([z.string(), z.number(), z.boolean()], { error: 'must be a text' })
  .transform((value) => (/^(?:true|false)$/.test(String(value)) ? null : String(value)))
  .nullish()
  .openapi({ type: ['string', 'null'], description: 'HTML body.' });

const variable = z
  .union([z.string(), z.number(), z.boolean()], { error: 'must be a text' })
  .transform(String);

/** Fields of the contract's send request and those its client libraries know besides. */
export const EmailRequest = z
  .object({
    to: recipients('Recipient address, or a list of them.'),
    from: z.string().openapi({
      example: 'Acme <hello@example.com>',
      description: 'The address belongs to a verified sending domain of the Team.',
    }),
    subject: z
      .string()
      .nullish()
      .openapi({ description: `Needed without a templateId. At most ${limits.emailSubject} characters.` }),
    templateId: z
      .string()
      .nullish()
      .openapi({ description: 'Identifier of a template made in the dashboard.' }),
    variables: z
      .record(z.string(), variable)
      .nullish()
      .openapi({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Values for the template.',
      }),
    replyTo: recipients('Where answers go.').nullish(),
    cc: recipients('Copies.').nullish(),
    bcc: recipients('Blind copies.').nullish(),
    text: z
      .string()
      .nullish()
      .openapi({ description: 'Plain text body. Text or html is needed without a templateId.' }),
    html,
    headers: z
      .record(z.string(), z.string())
      .nullish()
      .openapi({ description: 'Header fields of your own.' }),
    attachments: z
      .array(
        z.object({
          filename: z.string(),
          content: z.string().openapi({ format: 'byte', description: 'base64' }),
        }),
      )
      .max(limits.emailAttachments)
      .nullish(),
    scheduledAt: instant
      .nullish()
      .openapi({ description: 'When to send; at once when it is past. Without a zone it is UTC.' }),
    inReplyToId: z
      .string()
      .nullish()
      .openapi({ description: 'Id of the email of this Team that it answers.' }),
  })
  .openapi('EmailRequest', { description: 'An email to send. A subject or a templateId is required.' });

export const EmailBatch = z
  .array(EmailRequest)
  .min(1, 'must hold at least one email')
  .max(limits.emailBatch, `may hold at most ${limits.emailBatch} emails`);
