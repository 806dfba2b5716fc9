import { createHash } from 'node:crypto';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { domainOf, parseAddress } from '../../../src/mail/address.ts';
import { hasControl, headerFault } from '../../../src/mail/header.ts';
import type { EmailContent } from '../kit/email-content.ts';
import { newPublicId } from '../kit/public-id.ts';
import { type ReadyTemplate, render } from '../templates/render.ts';
import { scalarsOf } from '../templates/template-input.ts';
import { decodedBytes, type FileInput, filesOf } from './email-files.ts';
import { metadataOf, tagsOf } from './email-labels.ts';

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
  attachments?: FileInput[] | null;
  scheduledAt?: string | null;
  inReplyToId?: string | null;
  tags?: unknown;
  metadata?: unknown;
}

/** An email that has passed every check that needs no database. */
export interface Draft extends EmailContent {
  scheduled_at: string | null;
  in_reply_to_id: string | null;
  template_id: string | null;
  /** Of the template it was rendered with. */
  template_version: number | null;
  tags: Record<string, string> | null;
  metadata: Record<string, unknown> | null;
  /** Lower-case ASCII domain of the sender. */
  domain: string;
}

/** @throws BAD_REQUEST when there is nothing that a subject or a body could come from */
function checkSource({ subject, html, text, templateId }: EmailInput): void {
  if (!subject && !templateId) throw errors.badRequest('Either subject or templateId is required.');
  if (!html && !text && !templateId) throw errors.badRequest('Either text or html is required.');
}

/**
 * Checks one email. A template gives subject and body, whatever else the request brings.
 * @throws BAD_REQUEST that names the field
 */
export function draftOf(given: EmailInput, template: ReadyTemplate | null = null): Draft {
  checkSource(given);
  const variables = scalarsOf('variables', given.variables);
  const input = template ? { ...given, ...render(template, variables) } : given;
  const subject = checkedSubject(input.subject ?? '');
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
    public_id: newPublicId(),
    from: input.from,
    ...lists,
    subject,
    html: input.html || null,
    text: input.text || null,
    headers: headersOf(input.headers),
    attachments: filesOf(input.attachments),
    scheduled_at: input.scheduledAt && Date.parse(input.scheduledAt) > Date.now() ? input.scheduledAt : null,
    in_reply_to_id: input.inReplyToId ?? null,
    template_id: template?.id ?? null,
    template_version: template?.version ?? null,
    tags: tagsOf(input.tags),
    metadata: metadataOf(input.metadata),
    domain: domainOf(sender.address),
  };
}

function checkedSubject(subject: string): string {
  if (hasControl(subject))
    throw errors.badRequest('subject: line breaks and control characters are not allowed.');
  if (subject.length > limits.emailSubject)
    throw errors.badRequest(`subject: at most ${limits.emailSubject} characters.`);
  return subject;
}

/** What the parts weigh before they are encoded for the way. */
function bytesOf({ html, text, attachments }: EmailInput): number {
  const files = (attachments ?? []).reduce((sum, file) => sum + decodedBytes(file.content), 0);
  return Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '') + files;
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
  if (!isObject(value)) throw errors.badRequest('headers: an object of texts is needed.');
  if (Object.keys(value).length > limits.emailHeaders)
    throw errors.badRequest(`headers: at most ${limits.emailHeaders}.`);
  const headers: Record<string, string> = {};
  let bytes = 0;
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw errors.badRequest(`headers: ${name} must be a text.`);
    const trimmed = name.trim();
    const fault = headerFault(trimmed, text);
    if (fault) throw errors.badRequest(`headers: ${fault}`);
    headers[trimmed] = text;
    bytes += Buffer.byteLength(trimmed) + Buffer.byteLength(text);
  }
  if (bytes > limits.emailHeaderBytes)
    throw errors.badRequest(`headers: at most ${limits.emailHeaderBytes} bytes together.`);
  return Object.keys(headers).length ? headers : null;
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
