import { randomUUID } from 'node:crypto';
import { parseAddress } from './address.ts';
import {
  type Attachment,
  computeByteLength,
  countBase64Digits,
  isContentId,
  isMediaType,
} from './attachment.ts';
import { findHeaderFault, formatHeaderValue } from './custom-header.ts';
import { encodePlainText, formatField, formatMailboxText, hasControlCharacter } from './header.ts';
import {
  buildAlternativeEntity,
  buildFileEntity,
  buildMultipartEntity,
  buildTextEntity,
  type MimeEntity,
} from './mime-entity.ts';

/** A message to send. Addresses must be valid for `parseAddress`. */
export interface ComposeInput {
  emailId: string;
  /** Message-ID with or without angle brackets. */
  messageId: string;
  date: Date;
  from: string;
  to: readonly string[];
  cc?: readonly string[];
  replyTo?: readonly string[];
  subject: string;
  text?: string | null;
  html?: string | null;
  headers?: Readonly<Record<string, string>> | null;
  attachments?: readonly Attachment[] | null;
  inReplyTo?: string | null;
  references?: readonly string[];
}

/** `message` explains to the caller why the email cannot be composed. */
export class ComposeError extends Error {
  override name = 'ComposeError';
}

/**
 * Composes the RFC 5322 and RFC 2045 bytes of a message: ASCII only, CRLF, lines of at most 998 bytes, no Bcc. Rejects
 * invalid input instead of repairing it.
 *
 * A library's composer would take as much CPU time as the AWS call that follows (`bench/delivery-compose.ts`), so only
 * its encoders are used. The tests compare the results.
 * @throws ComposeError for an invalid address, a control character in a header, a reserved header, or an attachment
 * that is not base64
 */
export function buildMimeMessage(input: ComposeInput): Buffer {
  const text = `${buildHeaders(input)}MIME-Version: 1.0\r\n${buildContent(input)}`;
  return Buffer.from(text.endsWith('\r\n') ? text : `${text}\r\n`, 'latin1');
}

function buildHeaders(input: ComposeInput): string {
  const customHeaders = buildCustomHeaders(input.headers);
  const lines = [
    formatField('From', formatMailbox(input.from, 'from')),
    buildAddressField('To', input.to, 'to'),
    buildAddressField('Cc', input.cc, 'cc'),
    customHeaders.has('reply-to') ? '' : buildAddressField('Reply-To', input.replyTo, 'replyTo'),
    buildSubject(input.subject),
    formatField('Date', input.date.toUTCString().replace('GMT', '+0000')),
    formatField('Message-ID', formatMessageId(input.messageId, 'messageId')),
    formatField('X-Atrium-Email-ID', validateToken(input.emailId)),
  ];
  if (input.inReplyTo && !customHeaders.has('in-reply-to'))
    lines.push(formatField('In-Reply-To', formatMessageId(input.inReplyTo, 'inReplyTo')));
  if (input.references?.length && !customHeaders.has('references')) {
    lines.push(
      formatField('References', input.references.map((id) => formatMessageId(id, 'references')).join(' ')),
    );
  }
  lines.push(...customHeaders.values());
  return lines.join('');
}

function buildAddressField(name: string, addresses: readonly string[] | undefined, from: string): string {
  if (!addresses?.length) return '';
  return formatField(name, addresses.map((text) => formatMailbox(text, from)).join(', '));
}

function buildSubject(text: string): string {
  if (hasControlCharacter(text))
    throw new ComposeError('subject contains a line break or a control character');
  return formatField('Subject', encodePlainText(text));
}

function buildCustomHeaders(headers: ComposeInput['headers']): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [key, value] of Object.entries(headers ?? {})) {
    const name = key.trim();
    const fault = findHeaderFault(name, value);
    if (fault) throw new ComposeError(fault);
    const lower = name.toLowerCase();
    if (fields.has(lower)) throw new ComposeError(`header ${name} appears twice`);
    if (value.trim() === '') continue;
    fields.set(lower, formatField(name, formatHeaderValue(lower, value)!));
  }
  return fields;
}

function formatMailbox(text: string, from: string): string {
  const parsedMailbox = parseAddress(text);
  if (!parsedMailbox)
    throw new ComposeError(`${from} ${JSON.stringify(text.slice(0, 120))} is not a valid address`);
  return formatMailboxText(parsedMailbox);
}

function formatMessageId(id: string, from: string): string {
  const bareId = id.replace(/^<|>$/g, '');
  if (!/^[!-;=?-~]{1,900}$/.test(bareId)) throw new ComposeError(`${from} is not a valid message id`);
  return `<${bareId}>`;
}

function validateToken(id: string): string {
  if (!/^[\w.:-]{1,200}$/.test(id)) throw new ComposeError('emailId is not a token');
  return id;
}

function buildContent(input: ComposeInput): MimeEntity {
  const all = input.attachments ?? [];
  if (all.length === 0 && !(input.text && input.html)) return buildTextContent(input, '');
  const boundary = `--_atrium-${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  const files = all.filter((file) => !file.alternative && !isInlineFile(file, input));
  const body = buildRelatedContent(input, boundary);
  if (files.length === 0) return body;
  return buildMultipartEntity('mixed', `${boundary}-m`, [body, ...files.map(buildAttachment)]);
}

const isInlineFile = (file: Attachment, { html }: ComposeInput): boolean =>
  Boolean(html && file.contentId !== undefined && !file.alternative);

/** Combines the text with the files that its HTML embeds (RFC 2387). */
function buildRelatedContent(input: ComposeInput, boundary: string): MimeEntity {
  const inlineFiles = (input.attachments ?? []).filter((file) => isInlineFile(file, input));
  const body = buildTextContent(input, boundary);
  return inlineFiles.length
    ? buildMultipartEntity('related', `${boundary}-r`, [body, ...inlineFiles.map(buildAttachment)])
    : body;
}

/** Builds all forms of the text, in increasing order of richness (RFC 2046 5.1.4). */
function buildTextContent({ text, html, attachments }: ComposeInput, boundary: string): MimeEntity {
  const forms = [
    ...(text || !html ? [buildTextEntity('plain', text ?? '')] : []),
    ...(html ? [buildTextEntity('html', html)] : []),
    ...(attachments ?? []).filter((file) => file.alternative).map(buildAttachment),
  ];
  return forms.length === 1 ? forms[0]! : buildMultipartEntity('alternative', `${boundary}-a`, forms);
}

function buildAttachment({ filename, content, contentType, contentId, alternative }: Attachment): MimeEntity {
  if (!filename || hasControlCharacter(filename) || filename.length > 255)
    throw new ComposeError('attachment filename is not valid');
  if (contentType && !isMediaType(contentType))
    throw new ComposeError(
      `attachment content type ${JSON.stringify(contentType.slice(0, 80))} is not valid`,
    );
  const bytes = decodeBase64(content);
  if (!bytes) throw new ComposeError(`attachment ${JSON.stringify(filename)} is not base64`);
  if (contentId !== undefined && !isContentId(contentId))
    throw new ComposeError(`attachment content id ${JSON.stringify(contentId.slice(0, 80))} is not valid`);
  if (alternative && contentType) return buildAlternativeEntity(contentType, bytes);
  return buildFileEntity(filename.toWellFormed(), bytes, contentType, contentId);
}

/** Returns null if the text is not valid base64. Checks the length, because `Buffer.from` skips invalid characters. */
function decodeBase64(content: string): Buffer | null {
  const digits = countBase64Digits(content);
  const bytes = Buffer.from(content, 'base64');
  return digits !== null && bytes.length === computeByteLength(digits) ? bytes : null;
}
