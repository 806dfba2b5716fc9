import { createCache } from '../../../src/cache.ts';
import { isLonger } from '../../../src/engine/value/is-longer.ts';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { findHeaderFault } from '../../../src/message/custom-header.ts';
import { hasControlCharacter } from '../../../src/message/header.ts';

const MAX_CACHED_SENDERS = 1_000;
const MAX_CUSTOM_HEADERS = 100;
/** Maximum size of all header names and values combined. */
const MAX_CUSTOM_HEADER_BYTES = 64 * 1024;

export const isBlank = (text: string | null | undefined): boolean => !text || !/\S/.test(text);

export function validateSubject(text: string | null | undefined): string {
  const subject = text ?? '';
  if (hasControlCharacter(subject))
    throw errors.badRequest('subject: line breaks and control characters are not allowed.');
  if (isLonger(subject, limits.email.subject))
    throw errors.badRequest(`subject: must have at most ${limits.email.subject} characters.`);
  return subject;
}

export function validateSender(from: string): string {
  if (findSenderDomain(from) !== null) return from;
  throw errors.badRequest('from: must be a valid address, such as "Display Name <name@domain>".');
}

/** Cached by sender, because most senders send many emails in a row. */
const domains = createCache<string, string>({ entries: MAX_CACHED_SENDERS });

export function findSenderDomain(from: string): string | null {
  const senderDomain = domains.get(from);
  if (senderDomain) return senderDomain;
  const sender = parseAddress(from);
  if (!sender) return null;
  const domain = getAddressDomain(sender.address);
  domains.set(from, domain);
  return domain;
}

export function validateAddresses(list: readonly string[] | null | undefined, field: string): string[] {
  return (list ?? []).map((text) => {
    if (!parseAddress(text))
      throw errors.badField(field, `${JSON.stringify(text.slice(0, 100))} is not a valid address.`);
    return text;
  });
}

export function parseHeaders(value: unknown): Record<string, string> | null {
  if (value === null || value === undefined) return null;
  if (!isObject(value)) throw errors.badRequest('headers: must be an object with string values.');
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
