import { createHash, randomBytes } from 'node:crypto';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { domainOf, parseAddress, toAsciiDomain } from '../../src/mail/address.ts';
import { hasControl, headerFault } from '../../src/mail/header.ts';
import type { EmailContent } from './email-content.ts';

/** What a caller asks to be sent, as GraphQL has coerced it. */
export interface EmailInput {
  to: string[];
  from: string;
  subject?: string | null;
  replyTo?: string[] | null;
  cc?: string[] | null;
  bcc?: string[] | null;
  html?: string | null;
  text?: string | null;
  templateId?: string | null;
  variables?: unknown;
  headers?: unknown;
  attachments?: { filename: string; content: string }[] | null;
  scheduledAt?: string | null;
  inReplyToId?: string | null;
}

/** An email that has passed every check that needs no database. */
export interface Draft extends EmailContent {
  scheduled_at: string | null;
  in_reply_to_id: string | null;
  template_id: string | null;
  /** Lower-case ASCII domain of the sender. */
  domain: string;
}

/**
 * Checks one email.
 * @throws BAD_REQUEST that names the field
 */
export function draftOf(input: EmailInput): Draft {
  if (!input.subject && !input.templateId)
    throw errors.badRequest('Either subject or templateId is required.');
  if (!input.html && !input.text && !input.templateId)
    throw errors.badRequest('Either text or html is required.');
  const subject = input.subject ?? '';
  if (hasControl(subject))
    throw errors.badRequest('subject: line breaks and control characters are not allowed.');
  if (subject.length > limits.emailSubject)
    throw errors.badRequest(`subject: at most ${limits.emailSubject} characters.`);
  const lists = {
    to: addresses('to', input.to),
    cc: addresses('cc', input.cc),
    bcc: addresses('bcc', input.bcc),
    reply_to: addresses('replyTo', input.replyTo),
  };
  if (lists.to.length === 0) throw errors.badRequest('to: at least one recipient is needed.');
  const recipients = lists.to.length + lists.cc.length + lists.bcc.length;
  if (recipients > limits.emailRecipients)
    throw errors.badRequest(`At most ${limits.emailRecipients} recipients in to, cc and bcc together.`);
  if (bytesOf(input) > limits.emailBytes)
    throw errors.badRequest('html, text and attachments: too large together.');
  const sender = parseAddress(input.from);
  if (!sender)
    throw errors.badRequest('from: not a valid address; write it as "Display Name <name@domain>".');
  return {
    public_id: newEmailId(),
    from: input.from,
    ...lists,
    subject,
    html: input.html || null,
    text: input.text || null,
    headers: headersOf(input.headers),
    attachments: attachmentsOf(input.attachments),
    scheduled_at: input.scheduledAt && Date.parse(input.scheduledAt) > Date.now() ? input.scheduledAt : null,
    in_reply_to_id: input.inReplyToId ?? null,
    template_id: input.templateId ?? null,
    domain: toAsciiDomain(domainOf(sender.address)) ?? '',
  };
}

/** Roughly: what the parts weigh before they are encoded for the way. */
function bytesOf({ html, text, attachments }: EmailInput): number {
  const files = (attachments ?? []).reduce((sum, file) => sum + file.content.length, 0);
  return Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '') + files * 0.75;
}

function addresses(field: string, list: string[] | null | undefined): string[] {
  return (list ?? []).map((text) => {
    if (!parseAddress(text))
      throw errors.badRequest(`${field}: not a valid address: ${JSON.stringify(text.slice(0, 100))}.`);
    return text;
  });
}

function headersOf(value: unknown): Record<string, string> | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object' || Array.isArray(value))
    throw errors.badRequest('headers: an object of texts is needed.');
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw errors.badRequest(`headers: ${name} must be a text.`);
    const trimmed = name.trim();
    const fault = headerFault(trimmed, text);
    if (fault) throw errors.badRequest(`headers: ${fault}`);
    headers[trimmed] = text;
  }
  return Object.keys(headers).length ? headers : null;
}

/** Linear whatever it is given: no character fits two of its parts that repeat. */
const BASE64 = /^[A-Za-z0-9+/_\-\s]+(?:=\s*){0,2}$/;

function attachmentsOf(list: EmailInput['attachments']): Draft['attachments'] {
  if (!list?.length) return null;
  if (list.length > limits.emailAttachments)
    throw errors.badRequest(`attachments: at most ${limits.emailAttachments}.`);
  for (const file of list) {
    if (!file.filename || file.filename.length > limits.emailFilename || hasControl(file.filename))
      throw errors.badRequest(
        `attachments: a filename of at most ${limits.emailFilename} characters, no control characters, is needed.`,
      );
    if (!BASE64.test(file.content))
      throw errors.badRequest(`attachments: the content of ${file.filename} is not base64.`);
  }
  return list.map(({ filename, content }) => ({ filename, content }));
}

/** 25 characters: the time first, so that new rows lie together in the index, then 80 random bits. */
function newEmailId(): string {
  const time = Date.now().toString(36).padStart(9, '0');
  return `${time}${BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .padStart(16, '0')}`;
}

/** Fingerprint of a request: the same fields give the same text whatever their order. */
export function fingerprint(payload: unknown): string {
  return createHash('sha256').update(canonical(payload)).digest('base64');
}

function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}
