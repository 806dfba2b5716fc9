import { z } from '@hono/zod-openapi';
import { limits } from '../../../src/limits.ts';
import { instant } from '../instants.ts';

const recipients = (description: string) =>
  z
    .union([z.string().transform((one) => [one]), z.array(z.string())], {
      error: ({ input }) => (input === undefined ? undefined : 'must be a text or a list of texts'),
    })
    .openapi({ description });

/** A forwarder that has no HTML sends `false`, and some have sent it as a word. */
const html = z
  .union([z.string(), z.number(), z.boolean()], { error: 'must be text' })
  .transform((value) => (/^(?:true|false)$/.test(String(value)) ? null : String(value)))
  .nullish()
  .openapi({ type: ['string', 'null'], description: 'HTML body.' });

const variable = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
});

/** Other libraries name the content id otherwise. */
const Attachment = z
  .object({
    filename: z.string(),
    content: z.string().openapi({ format: 'byte', description: 'base64' }),
    contentType: z.string().nullish().openapi({ description: 'By default what the file name says.' }),
    contentId: z
      .string()
      .nullish()
      .openapi({ description: 'For a file that the HTML shows: `<img src="cid:…">` with this id.' }),
    cid: z.string().nullish().openapi({ description: 'The same as contentId.' }),
  })
  .transform(({ cid, contentId, ...file }) => ({ ...file, contentId: contentId ?? cid }));

const tags = z
  .union([z.record(z.string(), z.string()), z.array(z.object({ name: z.string(), value: z.string() }))], {
    error: 'must be an object of texts, or a list of names and values',
  })
  .nullish()
  .openapi({ description: 'Texts by name, told with every event.' });

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
      .openapi({ description: `Needed without a templateId. At most ${limits.email.subject} characters.` }),
    templateId: z.string().nullish().openapi({
      description:
        'Identifier of a template, as the GraphQL verb templateCreate answers with; it gives subject, html and text.',
    }),
    variables: z
      .record(z.string(), variable)
      .nullish()
      .openapi({
        type: ['object', 'null'],
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
        description: 'Values for the template. One without a fallback of its own must be given.',
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
      .array(Attachment)
      .max(limits.email.attachments)
      .nullish()
      .openapi({
        description: `At most ${limits.email.attachmentBytes / 1024 / 1024} MB together, before they are encoded.`,
      }),
    scheduledAt: instant
      .nullish()
      .openapi({ description: 'When to send; at once when it is past. Without a zone it is UTC.' }),
    inReplyToId: z
      .string()
      .nullish()
      .openapi({ description: 'Id of the email of this Team that it answers.' }),
    tags,
    metadata: z
      .record(z.string(), z.unknown())
      .nullish()
      .openapi({ description: 'An object of your own, told with every event.' }),
  })
  .openapi('EmailRequest', { description: 'An email to send. A subject or a templateId is required.' });

/** What a scheduled email is changed by. */
export const EmailChange = z
  .object({
    scheduledAt: instant.openapi({
      description: 'The new time; at once when it is past. Without a zone it is UTC.',
    }),
  })
  .openapi('EmailChange');

export const EmailBatch = z
  .array(EmailRequest)
  .min(1, 'the batch must hold at least one email')
  .max(limits.email.batch, `the batch may hold at most ${limits.email.batch} emails`);
