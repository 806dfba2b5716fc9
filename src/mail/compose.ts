import { randomUUID } from 'node:crypto';
import { parseAddress } from './address.ts';
import { type Attachment, base64Digits, bytesOfDigits, isContentId, isMediaType } from './attachment.ts';
import { field, hasControl, mailboxText, plainText } from './header.ts';
import { alternativeEntity, type Entity, fileEntity, multipartEntity, textEntity } from './mime-entity.ts';
import { headerFault, headerText } from './own-header.ts';

/** One message as the sending API knows it. Addresses are texts as `parseAddress` reads them; Bcc is envelope only. */
export interface ComposeInput {
  emailId: string;
  /** With or without angle brackets. */
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
  /** Message ids, with or without angle brackets. */
  inReplyTo?: string | null;
  references?: readonly string[];
}

/** The message cannot be written as asked; `message` says why in words for the caller. */
export class ComposeError extends Error {
  override name = 'ComposeError';
}

/**
 * The RFC 5322/2045 bytes of a message: ASCII only, CRLF, no line over 998 bytes, no Bcc.
 * Raises ComposeError for an invalid address, a control character in a header part, a reserved
 * header or an attachment that is not base64; nothing is repaired silently.
 *
 * Written out here because the library's composer costs as much CPU as the whole AWS call that follows
 * (`bench/delivery-compose.ts`); its encoders are used, and it is the oracle of the tests.
 */
export function compose(input: ComposeInput): Buffer {
  const text = `${headers(input)}MIME-Version: 1.0\r\n${content(input)}`;
  return Buffer.from(text.endsWith('\r\n') ? text : `${text}\r\n`, 'latin1');
}

function headers(input: ComposeInput): string {
  const own = ownHeaders(input.headers);
  const lines = [
    field('From', mailbox(input.from, 'from')),
    list('To', input.to, 'to'),
    list('Cc', input.cc, 'cc'),
    own.has('reply-to') ? '' : list('Reply-To', input.replyTo, 'replyTo'),
    subject(input.subject),
    field('Date', input.date.toUTCString().replace('GMT', '+0000')),
    field('Message-ID', messageId(input.messageId, 'messageId')),
    field('X-Atrium-Email-ID', token(input.emailId)),
  ];
  if (input.inReplyTo && !own.has('in-reply-to'))
    lines.push(field('In-Reply-To', messageId(input.inReplyTo, 'inReplyTo')));
  if (input.references?.length && !own.has('references')) {
    lines.push(field('References', input.references.map((id) => messageId(id, 'references')).join(' ')));
  }
  lines.push(...own.values());
  return lines.join('');
}

function list(name: string, addresses: readonly string[] | undefined, from: string): string {
  if (!addresses?.length) return '';
  return field(name, addresses.map((text) => mailbox(text, from)).join(', '));
}

function subject(text: string): string {
  if (hasControl(text)) throw new ComposeError('subject holds a line break or a control character');
  return field('Subject', plainText(text));
}

/** The caller's own fields, written, by lower-case name. */
function ownHeaders(given: ComposeInput['headers']): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [key, value] of Object.entries(given ?? {})) {
    const name = key.trim();
    const fault = headerFault(name, value);
    if (fault) throw new ComposeError(fault);
    const lower = name.toLowerCase();
    if (fields.has(lower)) throw new ComposeError(`header ${name} is given twice`);
    if (value.trim() === '') continue;
    fields.set(lower, field(name, headerText(lower, value)!));
  }
  return fields;
}

function mailbox(text: string, from: string): string {
  const parsed = parseAddress(text);
  if (!parsed) throw new ComposeError(`${from} ${JSON.stringify(text.slice(0, 120))} is not a valid address`);
  return mailboxText(parsed);
}

function messageId(id: string, from: string): string {
  const bare = id.replace(/^<|>$/g, '');
  if (!/^[!-;=?-~]{1,900}$/.test(bare)) throw new ComposeError(`${from} is not a valid message id`);
  return `<${bare}>`;
}

function token(id: string): string {
  if (!/^[\w.:-]{1,200}$/.test(id)) throw new ComposeError('emailId is not a token');
  return id;
}

function content(input: ComposeInput): Entity {
  const all = input.attachments ?? [];
  if (all.length === 0 && !(input.text && input.html)) return textContent(input, '');
  const boundary = `--_atrium-${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  const files = all.filter((file) => !file.alternative && !isShown(file, input));
  const body = shownContent(input, boundary);
  if (files.length === 0) return body;
  return multipartEntity('mixed', `${boundary}-m`, [body, ...files.map(attachment)]);
}

const isShown = (file: Attachment, { html }: ComposeInput): boolean =>
  Boolean(html && file.contentId !== undefined && !file.alternative);

/** The text with what its HTML shows (RFC 2387). */
function shownContent(input: ComposeInput, boundary: string): Entity {
  const shown = (input.attachments ?? []).filter((file) => isShown(file, input));
  const body = textContent(input, boundary);
  return shown.length ? multipartEntity('related', `${boundary}-r`, [body, ...shown.map(attachment)]) : body;
}

/** The text in all its forms, the one that says most last (RFC 2046 5.1.4). */
function textContent({ text, html, attachments }: ComposeInput, boundary: string): Entity {
  const forms = [
    ...(text || !html ? [textEntity('plain', text ?? '')] : []),
    ...(html ? [textEntity('html', html)] : []),
    ...(attachments ?? []).filter((file) => file.alternative).map(attachment),
  ];
  return forms.length === 1 ? forms[0]! : multipartEntity('alternative', `${boundary}-a`, forms);
}

function attachment({ filename, content, contentType, contentId, alternative }: Attachment): Entity {
  if (!filename || hasControl(filename) || filename.length > 255)
    throw new ComposeError('attachment filename is not valid');
  if (contentType && !isMediaType(contentType))
    throw new ComposeError(
      `attachment content type ${JSON.stringify(contentType.slice(0, 80))} is not valid`,
    );
  const bytes = fromBase64(content);
  if (!bytes) throw new ComposeError(`attachment ${JSON.stringify(filename)} is not base64`);
  if (contentId !== undefined && !isContentId(contentId))
    throw new ComposeError(`attachment content id ${JSON.stringify(contentId.slice(0, 80))} is not valid`);
  if (alternative && contentType) return alternativeEntity(contentType, bytes);
  return fileEntity(filename.toWellFormed(), bytes, contentType, contentId);
}

/** Null when it is not base64: `Buffer.from` skips what it cannot read, which shows in the length alone. */
function fromBase64(content: string): Buffer | null {
  const digits = base64Digits(content);
  const bytes = Buffer.from(content, 'base64');
  return digits !== null && bytes.length === bytesOfDigits(digits) ? bytes : null;
}
