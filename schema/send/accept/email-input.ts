import { builder } from '../../../src/engine/verb/builder.ts';

const Attachment = builder.inputType('EmailAttachmentInput', {
  fields: (t) => ({
    filename: t.string({ required: true }),
    content: t.string({ required: true, description: 'base64' }),
    contentType: t.string({ description: 'By default what the file name says.' }),
    contentId: t.string({ description: 'The HTML shows the file by cid: and this.' }),
  }),
});

/** What may be given of an email; how each is checked and stored stands in email-fields.ts. */
export const EmailInputType = builder.inputType('EmailInput', {
  description: 'An email to send. Needs a subject or a templateId.',
  fields: (t) => ({
    to: t.stringList({ required: true }),
    from: t.string({
      required: true,
      description: 'Display Name <address> of a verified domain of the workspace',
    }),
    subject: t.string(),
    replyTo: t.stringList(),
    cc: t.stringList(),
    bcc: t.stringList(),
    html: t.string(),
    text: t.string(),
    templateId: t.string({ description: 'The template gives subject, HTML and text.' }),
    variables: t.field({
      type: 'JSON',
      description: 'Values of the template: texts, numbers, true or false.',
    }),
    headers: t.field({ type: 'JSON' }),
    attachments: t.field({ type: [Attachment] }),
    scheduledAt: t.field({ type: 'DateTime' }),
    inReplyToId: t.string(),
    tags: t.field({ type: 'JSON', description: 'Texts by name, told with every event.' }),
    metadata: t.field({ type: 'JSON', description: 'An object of your own, told with every event.' }),
  }),
});

/** What a caller asks to be sent, as GraphQL has coerced it. */
export type EmailInput = typeof EmailInputType.$inferInput;

/** A file as a caller gives it. */
export type FileInput = typeof Attachment.$inferInput;
