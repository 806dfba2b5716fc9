import { z } from '@hono/zod-openapi';
import { limits } from '../../../src/limits.ts';
import { instantSchema } from '../instants.ts';

const recipientsSchema = (description: string) =>
  z
    .union([z.string().transform((item) => [item]), z.array(z.string())], {
      error: ({ input }) => (input === undefined ? undefined : 'must be a string or an array of strings'),
    })
    .openapi({ description });

/** A forwarder without HTML sends `false`, sometimes as a string. */
const html = z
  .union([z.string(), z.number(), z.boolean()], { error: 'must be a string' })
  .transform((value) => (/^(?:true|false)$/.test(String(value)) ? null : String(value)))
  .nullish()
  .openapi({ type: ['string', 'null'], description: 'HTML body.' });

const variable = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a string, a number, true, false or null',
});

/** Some libraries call the content id `cid`. */
const Attachment = z
  .object({
    filename: z.string().nullish().openapi({
      description: 'File name shown to the recipient. Required with `content`; taken from `path` by default.',
    }),
    content: z.string().min(1).nullish().openapi({
      format: 'byte',
      description: 'File content, base64 encoded. Either `content` or `path` is required.',
    }),
    path: z
      .string()
      .nullish()
      .openapi({
        format: 'uri',
        description:
          'Public http:// or https:// URL of the file, instead of `content`. It is fetched before the email ' +
          'is accepted, even if the email is scheduled.',
      }),
    contentType: z
      .string()
      .nullish()
      .openapi({
        description:
          'Media type, with parameters if needed, such as `text/calendar; method=REQUEST`. Derived from the file ' +
          'name ' +
          'by default.',
      }),
    alternative: z
      .boolean()
      .nullish()
      .openapi({
        description:
          'True to send the file as an alternative to the text, as in calendar invitations (RFC 6047). ' +
          '`contentType` is required.',
      }),
    contentId: z.string().nullish().openapi({
      description: 'Content id of an inline file, referenced in the HTML as `<img src="cid:…">`.',
    }),
    cid: z.string().nullish().openapi({ description: 'Same as `contentId`.' }),
  })
  .transform(({ cid, contentId, ...file }) => ({ ...file, contentId: contentId ?? cid }));

const namedTag = z.object({
  name: z.string().describe('Name of the tag.'),
  value: z.string().describe('Value of the tag.'),
});

const tags = z
  .union([z.record(z.string(), z.string()), z.array(namedTag)], {
    error: 'must be an object of strings, or an array of names and values',
  })
  .nullish()
  .openapi({ description: 'String key/value pairs, included in every webhook event.' });

/** Fields of the contract's send request, and further ones that its client libraries send. */
export const EmailRequest = z
  .object({
    to: recipientsSchema('Recipient, or an array of recipients.'),
    from: z.string().openapi({
      example: 'Acme <hello@example.com>',
      description: 'Sender, as `Name <address>` or a bare address. Its domain must be verified.',
    }),
    subject: z
      .string()
      .nullish()
      .openapi({ description: `Required without a templateId. At most ${limits.email.subject} characters.` }),
    templateId: z
      .string()
      .nullish()
      .openapi({
        description:
          'Template to render. Replaces `subject`, `html` and `text`. Templates are created over GraphQL ' +
          '(`templateCreate`).',
      }),
    variables: z
      .record(z.string(), variable)
      .nullish()
      .openapi({
        type: ['object', 'null'],
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
        description: 'Values for the template. Required for every variable without a fallback.',
      }),
    replyTo: recipientsSchema('Address that replies go to, or an array of addresses.').nullish(),
    cc: recipientsSchema('Cc recipient, or an array of recipients.').nullish(),
    bcc: recipientsSchema('Bcc recipient, or an array of recipients.').nullish(),
    text: z
      .string()
      .nullish()
      .openapi({ description: 'Plain text body. Either `text` or `html` is required without `templateId`.' }),
    html,
    headers: z.record(z.string(), z.string()).nullish().openapi({ description: 'Additional header fields.' }),
    attachments: z
      .array(Attachment)
      .max(limits.email.attachments)
      .nullish()
      .openapi({
        description: `At most ${limits.email.attachmentBytes / 1024 / 1024} MB in total, before encoding.`,
      }),
    scheduledAt: instantSchema.nullish().openapi({
      description: 'When to send (ISO 8601, UTC if no offset). A time in the past sends immediately.',
    }),
    inReplyToId: z
      .string()
      .nullish()
      .openapi({ description: 'Identifier of one of your emails that this one replies to.' }),
    tags,
    metadata: z
      .record(z.string(), z.unknown())
      .nullish()
      .openapi({ description: 'Arbitrary JSON object, included in every webhook event.' }),
  })
  .openapi('EmailRequest', {
    description: 'An email to send. Either `subject` or `templateId` is required.',
  });

export const EmailChange = z
  .object({
    scheduledAt: instantSchema.openapi({
      description: 'New time to send (ISO 8601, UTC if no offset). A time in the past sends immediately.',
    }),
  })
  .openapi('EmailChange', { description: 'A new time for a scheduled email.' });

export const EmailBatch = z
  .array(EmailRequest)
  .min(1, 'the batch must contain at least one email')
  .max(limits.email.batch, `the batch must contain at most ${limits.email.batch} emails`);
