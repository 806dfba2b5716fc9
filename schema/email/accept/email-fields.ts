import { createCache } from '../../../src/cache.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { isLonger } from '../../../src/engine/value/is-longer.ts';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { findHeaderFault } from '../../../src/message/custom-header.ts';
import { hasControl } from '../../../src/message/header.ts';
import { createPublicId } from '../kit/public-id.ts';
import type { ReadyTemplate } from '../templates/render.ts';
import { parseFiles } from './email-files.ts';
import type { EmailInput } from './email-input.ts';
import { parseMetadata, parseTags } from './email-labels.ts';

/** Maximum number of senders whose domains are cached. */
const MAX_CACHED_SENDERS = 1_000;
const MAX_CUSTOM_HEADERS = 100;
/** Maximum bytes of the names and values of all custom headers. */
const MAX_CUSTOM_HEADER_BYTES = 64 * 1024;

/** PostgreSQL types that the JSON values are converted to. */
export type ColumnType = 'text' | 'text[]' | 'jsonb' | 'timestamptz' | 'int';

/** A column of `svc_email` that a send request fills. */
interface EmailField<V> {
  type: ColumnType;
  /** @throws BAD_REQUEST that names the field */
  value(input: EmailInput, template: ReadyTemplate | null): V;
  /** SQL expression of the stored value; the value itself by default. */
  stored?(value: Sql): Sql;
}

const defineField = <V>(
  type: ColumnType,
  value: EmailField<V>['value'],
  stored?: EmailField<V>['stored'],
): EmailField<V> => ({
  type,
  value,
  stored,
});

/** The columns stored for an `EmailInput`, in the order of validation. */
export const EMAIL_FIELDS = {
  public_id: defineField('text', () => createPublicId()),
  subject: defineField('text', ({ subject }) => validateSubject(subject ?? '')),
  from: defineField('text', ({ from }) => validateSender(from)),
  to: defineField('text[]', ({ to }) => validateAddresses('to', to)),
  cc: defineField('text[]', ({ cc }) => validateAddresses('cc', cc)),
  bcc: defineField('text[]', ({ bcc }) => validateAddresses('bcc', bcc)),
  reply_to: defineField('text[]', ({ replyTo }) => validateAddresses('replyTo', replyTo)),
  html: defineField('text', ({ html }) => (html && !isBlank(html) ? html : null)),
  text: defineField('text', ({ text }) => text || null),
  headers: defineField('jsonb', ({ headers }) => (isSet(headers) ? parseHeaders(headers) : null)),
  attachments: defineField('jsonb', ({ attachments }) =>
    attachments?.length ? parseFiles(attachments) : null,
  ),
  scheduled_at: defineField(
    'timestamptz',
    ({ scheduledAt: at }) => (at && Date.parse(at) > Date.now() ? at : null),
    (value) => sql`${value} at time zone 'UTC'`,
  ),
  /** Set for messages sent from mailboxes (schema/mailbox), never by an email request. */
  mailbox_id: defineField('int', (): number | null => null),
  in_reply_to_id: defineField('text', ({ inReplyToId }) => inReplyToId ?? null),
  template_id: defineField('text', (_, template) => template?.id ?? null),
  tags: defineField('jsonb', ({ tags }) => (isSet(tags) ? parseTags(tags) : null)),
  metadata: defineField('jsonb', ({ metadata }) => (isSet(metadata) ? parseMetadata(metadata) : null)),
};

type EmailFields = typeof EMAIL_FIELDS;

export type EmailValues = { [K in keyof EmailFields]: ReturnType<EmailFields[K]['value']> };

/** @throws BAD_REQUEST that names the first invalid field */
export function buildEmailValues(input: EmailInput, template: ReadyTemplate | null): EmailValues {
  const values: Record<string, unknown> = {};
  for (const [name, { value }] of ENTRIES) {
    const columnValue = value(input, template);
    if (typeof columnValue === 'string' && !columnValue.isWellFormed())
      throw errors.badRequest(`${name}: contains a lone surrogate (half of a character).`);
    values[name] = columnValue;
  }
  // The loop above fills every field with a value of its type.
  return values as EmailValues;
}

const ENTRIES: [string, EmailField<unknown>][] = Object.entries(EMAIL_FIELDS);

/** A blank text counts as missing. */
export const isBlank = (text: string | null | undefined): boolean => !text || !/\S/.test(text);

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

function validateSubject(subject: string): string {
  if (hasControl(subject))
    throw errors.badRequest('subject: line breaks and control characters are not allowed.');
  if (isLonger(subject, limits.email.subject))
    throw errors.badRequest(`subject: must have at most ${limits.email.subject} characters.`);
  return subject;
}

function validateSender(from: string): string {
  if (findSenderDomain(from) !== null) return from;
  throw errors.badRequest('from: not a valid address; write it as "Display Name <name@domain>".');
}

/** Cached, because a sender usually sends many emails in a row. */
const domains = createCache<string, string>({ entries: MAX_CACHED_SENDERS });

/** ASCII domain of a sender, in lower case. Null if the address is invalid. */
export function findSenderDomain(from: string): string | null {
  const senderDomain = domains.get(from);
  if (senderDomain) return senderDomain;
  const sender = parseAddress(from);
  if (!sender) return null;
  const domain = getAddressDomain(sender.address);
  domains.set(from, domain);
  return domain;
}

function validateAddresses(field: string, list: string[] | null | undefined): string[] {
  return (list ?? []).map((text) => {
    if (!parseAddress(text))
      throw errors.badRequest(`${field}: not a valid address: ${JSON.stringify(text.slice(0, 100))}.`);
    return text;
  });
}

function parseHeaders(value: unknown): Record<string, string> | null {
  if (!isObject(value)) throw errors.badRequest('headers: must be an object of strings.');
  if (Object.keys(value).length > MAX_CUSTOM_HEADERS)
    throw errors.badRequest(`headers: must contain at most ${MAX_CUSTOM_HEADERS} headers.`);
  const headers: Record<string, string> = {};
  const names = new Set<string>();
  let bytes = 0;
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw errors.badRequest(`headers: ${name} must be a string.`);
    const trimmed = name.trim();
    const fault = findHeaderFault(trimmed, text);
    if (fault) throw errors.badRequest(`headers: ${fault}`);
    if (names.has(trimmed.toLowerCase())) throw errors.badRequest(`headers: ${trimmed} appears twice.`);
    names.add(trimmed.toLowerCase());
    headers[trimmed] = text;
    bytes += Buffer.byteLength(trimmed) + Buffer.byteLength(text);
  }
  if (bytes > MAX_CUSTOM_HEADER_BYTES)
    throw errors.badRequest(`headers: must be at most ${MAX_CUSTOM_HEADER_BYTES} bytes in total.`);
  return Object.keys(headers).length ? headers : null;
}
