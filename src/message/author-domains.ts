import { type MailAddress, parseAddresses } from './parse/addresses.ts';
import { decodeWords } from './parse/header-words.ts';

interface AuthorDomains {
  /** Domains in lower case, without a trailing dot. */
  domains: string[];
  /** Number of From fields. A valid message has one. */
  fields: number;
  /** True if From exceeds the limits. */
  truncated: boolean;
}

/** Maximum number of domains to look up. Legitimate messages have one. */
const MAX_DOMAINS = 10;
const MAX_FROM_CHARS = 16 * 1024;

/**
 * Finds the authors' domains under every interpretation of From that a mail client may use: several fields, several
 * addresses, lines that end with a bare CR. A display name before an address in angle brackets is ignored even if it
 * contains an address, because names such as "Ann via lists" are common, and because readers do not see whether it was
 * quoted.
 * @param header raw header, one character per byte
 * @param addresses authors as Atrium displays them
 */
export function findAuthorDomains(header: string, addresses: readonly MailAddress[]): AuthorDomains {
  const { fields, truncated } = extractFromFields(header);
  const domains = new Set([...addresses.flatMap(findAddressDomains), ...fields.flatMap(findFieldDomains)]);
  return {
    domains: [...domains].slice(0, MAX_DOMAINS),
    fields: fields.length,
    truncated: truncated || domains.size > MAX_DOMAINS,
  };
}

/** A field extends to the next line that starts a field, even across malformed lines. */
function extractFromFields(header: string): { fields: string[]; truncated: boolean } {
  const fields: string[] = [];
  let size = 0;
  for (const { index, 0: name } of header.matchAll(/(?:^|[\r\n])from[ \t\r\n]*:/gi)) {
    const from = index + name.length;
    NEXT_FIELD.lastIndex = from;
    const value = header.slice(from, NEXT_FIELD.exec(header)?.index ?? header.length);
    size += value.length;
    if (size > MAX_FROM_CHARS) return { fields, truncated: true };
    fields.push(value);
  }
  return { fields, truncated: false };
}

const NEXT_FIELD = /\n(?=[!-9;-~]+[ \t]*:)/g;

/** Returns true if mail clients may disagree on the author. */
export const isAmbiguous = ({ domains, fields, truncated }: AuthorDomains): boolean =>
  truncated || fields > 1 || domains.length !== 1;

/** A name without an address is displayed in place of the address, so its domains count. */
const findAddressDomains = ({ name, address }: MailAddress): string[] =>
  address === '' ? findDomains(name) : findDomains(decodeWords(address));

/** Some clients drop control characters, and others end the text there, so both forms are searched. */
function findFieldDomains(value: string): string[] {
  const unfolded = value.replace(/[\r\n\t]+/g, ' ');
  return [unfolded, ...unfolded.split(/[\x00-\x1f\x7f]+/)].flatMap((text) => [
    ...parseAddresses(text).flatMap(findAddressDomains),
    ...findDomains(
      decodeWords(removeQuotes(text).replace(NAME_BEFORE_ADDRESS, '$1'))
        .replace(/ +/g, ' ')
        .replace(/ ?\. ?/g, '.'),
    ),
  ]);
}

const NAME_BEFORE_ADDRESS = /(^|[>,;:"()])[^<>,;:"()]+(?=<[^<>@]*@[^<>]*>)/g;

/** Removes quoted strings and comments, unless one of them is unclosed. */
function removeQuotes(text: string): string {
  const bareText = text
    .replace(/"(?:[^"\\]|\\.)*("?)/g, (_, end: string) => (end ? '' : '"'))
    .replace(/\((?:[^()\\]|\\.)*\)/g, '');
  return /["()]/.test(bareText) ? text : bareText;
}

/** Some parsers accept a comment between `@` and the domain, and convert the domain as browsers do (UTS 46). */
const findDomains = (text: string): string[] =>
  [
    ...text
      .normalize('NFKC')
      .replaceAll('\u3002', '.')
      .replace(/\.{2,}/g, '.')
      .replace(/@ *\([^()]*\)/g, '@')
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .matchAll(/@ *([\p{L}\p{M}\p{N}._-]{1,255})/gu),
  ]
    .map(([, domain]) => domain!.toLowerCase().replace(/^\.+|\.+$/g, ''))
    .filter((domain) => domain !== '');
