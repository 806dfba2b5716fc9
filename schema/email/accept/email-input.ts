import { builder } from '../../../src/engine/operation/builder.ts';

const PATH =
  'Public http:// or https:// address of the file, instead of `content`. It is fetched before the email is ' +
  'accepted, even if the email is scheduled.';

const Attachment = builder.inputType('EmailAttachmentInput', {
  description: 'A file attached to an email.',
  fields: (t) => ({
    filename: t.string({
      description: 'File name shown to the recipient. Required with `content`; taken from `path` by default.',
    }),
    content: t.string({
      description: 'File content, base64 encoded. Either `content` or `path` is required.',
    }),
    path: t.string({ description: PATH }),
    contentType: t.string({
      description:
        'Media type, with parameters if needed, such as `text/calendar; method=REQUEST`. Derived from the file name ' +
        'by default.',
    }),
    alternative: t.boolean({
      description:
        'True to send the file as an alternative to the text, as in calendar invitations (RFC 6047). ' +
        '`contentType` is required.',
    }),
    contentId: t.string({
      description: 'Content id of an inline file, referenced in the HTML as `<img src="cid:…">`.',
    }),
  }),
});

/** Fields of an email request. See email-fields.ts for their validation and columns. */
export const EmailInputType = builder.inputType('EmailInput', {
  description: 'An email to send. Either `subject` or `templateId` is required.',
  fields: (t) => ({
    to: t.stringList({ required: true, description: 'Recipients.' }),
    from: t.string({
      required: true,
      description: 'Sender, as `Name <address>` or a bare address. Its domain must be verified.',
    }),
    subject: t.string({ description: 'Subject line. Required without `templateId`.' }),
    replyTo: t.stringList({ description: 'Addresses that replies go to.' }),
    cc: t.stringList({ description: 'Cc recipients.' }),
    bcc: t.stringList({ description: 'Bcc recipients.' }),
    html: t.string({ description: 'HTML body.' }),
    text: t.string({
      description: 'Plain text body. Either `text` or `html` is required without `templateId`.',
    }),
    templateId: t.string({ description: 'Template to render. Replaces `subject`, `html` and `text`.' }),
    variables: t.field({
      type: 'JSON',
      description:
        'Values for the template: strings, numbers, booleans or null. Required for every variable without a fallback.',
    }),
    headers: t.field({ type: 'JSON', description: 'Additional header fields, as an object of strings.' }),
    attachments: t.field({ type: [Attachment], description: 'Files to attach.' }),
    scheduledAt: t.field({
      type: 'DateTime',
      description: 'When to send. A time in the past sends immediately.',
    }),
    inReplyToId: t.string({ description: 'Id of one of your emails that this one replies to.' }),
    tags: t.field({ type: 'JSON', description: 'String key/value pairs, included in every webhook event.' }),
    metadata: t.field({
      type: 'JSON',
      description: 'Arbitrary JSON object, included in every webhook event.',
    }),
  }),
});

export type EmailInput = typeof EmailInputType.$inferInput;

export type FileInput = typeof Attachment.$inferInput;
