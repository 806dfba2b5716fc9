import {
  allowField,
  defineInputShape,
  type InputOf,
  requireField,
} from '../../../src/engine/operation/input.ts';
import { limits } from '../../../src/limits.ts';
import { type ColumnValues, listColumns } from '../kit/input-columns.ts';
import { isBlank, parseHeaders, validateAddresses, validateSender, validateSubject } from './email-fields.ts';
import { EmailFileInput, parseFiles } from './email-files.ts';
import { parseMetadata, parseTags } from './email-labels.ts';

const EMAIL_INPUT_DESCRIPTION = 'An email to send. Either `subject` or `templateId` is required.';
const SUBJECT_DESCRIPTION = `Subject line, up to ${limits.email.subject} characters. Required without \`templateId\`.`;
const MAX_ATTACHMENT_MEGABYTES = limits.email.attachmentBytes / 1024 / 1024;

export const EmailInputShape = defineInputShape('EmailInput', EMAIL_INPUT_DESCRIPTION, {
  to: requireField('StringOrList', 'Recipients.', { parse: validateAddresses }),
  from: requireField(
    'String',
    'Sender, as `Name <address>` or a bare address. Its domain must be verified.',
    {
      form: { example: 'Acme <hello@example.com>' },
      parse: validateSender,
    },
  ),
  subject: allowField('String', SUBJECT_DESCRIPTION, { parse: validateSubject }),
  templateId: allowField(
    'String',
    'Template to render. Replaces `subject`, `html` and `text`. Create templates with `templateCreate` in GraphQL.',
  ),
  variables: allowField(
    'JSON',
    'Values for the template: strings, numbers, booleans or null. Required for every variable without a fallback.',
  ),
  replyTo: allowField('StringOrList', 'Addresses that replies go to.', { parse: validateAddresses }),
  cc: allowField('StringOrList', 'Cc recipients.', { parse: validateAddresses }),
  bcc: allowField('StringOrList', 'Bcc recipients.', { parse: validateAddresses }),
  text: allowField('String', 'Plain text body. Either `text` or `html` is required without `templateId`.', {
    parse: (text) => text || null,
  }),
  html: allowField('String', 'HTML body.', { parse: (html) => (html && !isBlank(html) ? html : null) }),
  headers: allowField('StringMap', 'Additional header fields, as an object of strings.', {
    parse: parseHeaders,
  }),
  attachments: allowField(
    [EmailFileInput],
    `Files to attach, at most ${MAX_ATTACHMENT_MEGABYTES} MB in total before encoding.`,
    {
      parse: (files) => (files?.length ? parseFiles(files) : null),
    },
  ),
  scheduledAt: allowField(
    'DateTime',
    'When to send (ISO 8601, UTC if no offset). A time in the past sends immediately.',
    { parse: (at) => (at && Date.parse(at) > Date.now() ? at : null) },
  ),
  inReplyToId: allowField('String', 'Id of one of your emails that this one replies to.', {
    parse: (id) => id ?? null,
  }),
  tags: allowField('JSON', 'String key/value pairs, included in every webhook event.', { parse: parseTags }),
  metadata: allowField('JSON', 'Arbitrary JSON object, included in every webhook event.', {
    parse: parseMetadata,
  }),
});

export type EmailInput = InputOf<typeof EmailInputShape>;

export type EmailInputValues = ColumnValues<typeof EmailInputShape.parts>;

export const EMAIL_INPUT_COLUMNS = listColumns(EmailInputShape.parts);
