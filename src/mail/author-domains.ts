import { type MailAddress, parseAddresses } from './parse/addresses.ts';
import { decodeHeaderBytes } from './parse/charset.ts';
import { decodeWords } from './parse/header-words.ts';

/** The domains that a message may be taken to come from. */
export interface AuthorDomains {
  /** In lower case, without a final dot. */
  domains: string[];
  /** Set where From names more than is read. */
  truncated: boolean;
}

/** Domains that are looked up; an honest message has one. */
const MAX_DOMAINS = 10;
/** Characters of all From fields together. */
const MAX_FROM_CHARS = 16 * 1024;

/**
 * The domains of the authors of a message, by every reading of its From fields that a mail program may have: several
 * fields, several addresses, lines that end with a bare CR. A name before an address in angle brackets is no author,
 * even if it looks like an address: "Ann via lists" is common, and quotes around it change nothing for the reader.
 * @param header as it stands in the message, a character a byte
 * @param shown what this server shows as the authors
 */
export function findAuthorDomains(header: string, shown: readonly MailAddress[]): AuthorDomains {
  const { fields, truncated } = extractFromFields(header);
  const domains = new Set([...shown.flatMap(findAddressDomains), ...fields.flatMap(findFieldDomains)]);
  return {
    domains: [...domains].slice(0, MAX_DOMAINS),
    truncated: truncated || domains.size > MAX_DOMAINS,
  };
}

/** Values of all From fields. A field goes on to the next line that begins one, whatever stands between. */
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

/** A name without an address is shown in its place. */
const findAddressDomains = ({ name, address }: MailAddress): string[] =>
  address === '' ? findDomains(name) : findDomains(decodeWords(address));

/** Some programs leave out control characters, others end a text there. */
function findFieldDomains(value: string): string[] {
  const unfolded = value.replace(/[\r\n\t]+/g, ' ');
  return [unfolded, ...unfolded.split(/[\x00-\x1f\x7f]+/)].flatMap((text) => [
    ...parseAddresses(text).flatMap(findAddressDomains),
    ...findDomains(
      removeQuotes(decodeHeaderBytes(text))
        .replace(NAME_BEFORE_ADDRESS, '$1')
        .replace(/ +/g, ' ')
        .replace(/ ?\. ?/g, '.'),
    ),
  ]);
}

/** What stands before an address in angle brackets. */
const NAME_BEFORE_ADDRESS = /(^|[<>,;:"()])[^<>,;:"()]+(?=<[^<>@]*@[^<>]*>)/g;

/** Without quoted texts and comments, if each of them ends. */
function removeQuotes(text: string): string {
  const bare = text
    .replace(/"(?:[^"\\]|\\.)*("?)/g, (_, end: string) => (end ? '' : '"'))
    .replace(/\((?:[^()\\]|\\.)*\)/g, '');
  return /["()]/.test(bare) ? text : bare;
}

const findDomains = (text: string): string[] =>
  [...text.replace(/[\p{Cc}\p{Cf}]/gu, '').matchAll(/@ *([\p{L}\p{M}\p{N}._-]{1,255})/gu)]
    .map(([, domain]) => domain!.toLowerCase().replace(/^\.+|\.+$/g, ''))
    .filter((domain) => domain !== '');
