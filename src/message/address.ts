import { domainToASCII } from 'node:url';
import { hasControlCharacter, hasDirectionCharacter } from './header.ts';

/** A 7-bit address with a lower-case punycode domain. */
export interface Mailbox {
  name?: string;
  address: string;
}

const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_ATOM = new RegExp(`^${ATEXT}(?:\\.${ATEXT})*$`);
const DOMAIN_LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const MAX_NAME_LENGTH = 255;

/**
 * Parses a single sender or recipient: `a@b.c`, `<a@b.c>`, `Name <a@b.c>` or `"Quoted, name" <a@b.c>`. Returns null for
 * anything else: lists, groups, comments, quoted or non-ASCII local parts (SES accepts only 7-bit), IP literals,
 * single-label domains, control characters. Deliberately stricter than RFC 5322 3.4.
 */
export function parseAddress(text: string): Mailbox | null {
  if (text.length > 1024 || hasControlCharacter(text) || !text.isWellFormed()) return null;
  const trimmed = text.trim();
  const bracketIndex = trimmed.lastIndexOf('<');
  if (bracketIndex === -1) return buildMailbox(undefined, trimmed);
  if (!trimmed.endsWith('>')) return null;
  const name = readName(trimmed.slice(0, bracketIndex).trim());
  return name === null ? null : buildMailbox(name, trimmed.slice(bracketIndex + 1, -1));
}

/** Extracts the address in lower case, as it is stored in the suppression list. */
export const extractAddress = (text: string): string =>
  BARE_ADDRESS.test(text) ? text : (parseAddress(text)?.address ?? text).toLowerCase();

/** Fast path for the common case of an address that would not change. */
const BARE_ADDRESS = /^[a-z0-9._+-]+@[a-z0-9.-]+$/;

/** Returns the lower-case domain, or an empty string. */
export function getAddressDomain(address: string): string {
  const at = address.lastIndexOf('@');
  return at === -1 ? '' : address.slice(at + 1).toLowerCase();
}

/** Converts a domain name to A-labels (RFC 5890). Null if it does not have at least two valid labels. */
export function toAsciiDomain(domain: string): string | null {
  const ascii = /^[\x21-\x7e]*$/.test(domain) ? domain.toLowerCase() : domainToASCII(domain);
  if (ascii.length > 253) return null;
  const labels = ascii.split('.');
  if (labels.length < 2 || !labels.every((part) => DOMAIN_LABEL.test(part))) return null;
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : ascii;
}

function buildMailbox(name: string | undefined, spec: string): Mailbox | null {
  const at = spec.lastIndexOf('@');
  const local = spec.slice(0, at);
  if (at < 1 || local.length > 64 || !DOT_ATOM.test(local)) return null;
  const domain = toAsciiDomain(spec.slice(at + 1));
  // RFC 5321 4.5.3.1.3 limits a path to 256 octets, including its angle brackets.
  if (domain === null || local.length + 1 + domain.length > 254) return null;
  const address = `${local}@${domain}`;
  return name ? { name, address } : { address };
}

/** Parses a display name. Undefined if it is empty, null if it is not safe to display. */
function readName(raw: string): string | undefined | null {
  if (raw === '') return undefined;
  const name = raw.startsWith('"') ? unquote(raw) : readPhrase(raw);
  if (name === null || name.length > MAX_NAME_LENGTH || hasDirectionCharacter(name)) return null;
  return name.trim() || undefined;
}

function unquote(raw: string): string | null {
  const match = /^"((?:[^"\\]|\\.)*)"$/.exec(raw);
  return match ? (match[1] ?? '').replace(/\\(.)/g, '$1') : null;
}

/**
 * Accepts unquoted names such as `Acme, Inc. <a@b.c>`. Text with an `@`, `;` or bracket could be a list and is
 * rejected.
 */
function readPhrase(raw: string): string | null {
  return /[@<>;"\\]/.test(raw) ? null : raw.replace(/\s+/g, ' ');
}

/** Splits a list of addresses (RFC 5322 3.4), valid or not. Ignores commas in quotes and brackets. */
export function splitAddresses(list: string): string[] {
  const parts = [''];
  let closing = '';
  for (let index = 0; index < list.length; index++) {
    const char = list[index]!;
    if (char === ',' && !closing) {
      parts.push('');
      continue;
    }
    if (char === closing) closing = '';
    else if (!closing && (char === '"' || char === '<')) closing = char === '"' ? '"' : '>';
    const isEscape = char === '\\' && closing === '"';
    parts[parts.length - 1] += isEscape ? char + (list[++index] ?? '') : char;
  }
  return parts.map((part) => part.trim());
}
