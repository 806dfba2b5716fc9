import addressparser from 'nodemailer/lib/addressparser';
import { decodeHeaderBytes } from './charset.ts';
import { decodeWords } from './header-words.ts';

/** Somebody a message names. */
export interface MailAddress {
  /** Empty when none is given. */
  name: string;
  /** As it is written; empty for a name alone. */
  address: string;
}

/** Characters of a field that are read, and separators in it: the time of the parser grows with both. */
const MAX_FIELD_CHARS = 128 * 1024;
const MAX_SEPARATORS = 5_000;

/**
 * All that an address field names, groups opened, leniently; of a field over the limits, its beginning.
 * @param field as it stands in the message, a character a byte
 * @param charset character set of names that are not UTF-8
 */
export function parseAddresses(field: string, charset: string | null = null): MailAddress[] {
  const latin1 = truncateField(field);
  if (latin1.trim() === '') return [];
  const found = parseLeniently(latin1)
    .map(({ name, address }) => ({
      name: decodeName(name, charset),
      address: decodeHeaderBytes(address).trim(),
    }))
    .filter(({ name, address }) => name !== '' || address !== '');
  // A group may be empty; anything else is shown as it is written.
  return found.length > 0 || /[:;]/.test(latin1)
    ? found
    : [{ name: decodeName(latin1, charset), address: '' }];
}

function truncateField(field: string): string {
  let separators = 0;
  const end = Math.min(field.length, MAX_FIELD_CHARS);
  for (let at = 0; at < end; at++) {
    const char = field[at];
    if ((char === ',' || char === ';' || char === ':') && ++separators > MAX_SEPARATORS)
      return field.slice(0, at);
  }
  return field.slice(0, end);
}

/** A parser that is not ours throws on what it did not expect. */
function parseLeniently(text: string): { name: string; address: string }[] {
  try {
    return addressparser(text, { flatten: true });
  } catch {
    return [];
  }
}

const decodeName = (raw: string, charset: string | null): string =>
  decodeWords(raw, charset).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH).toWellFormed();

const MAX_NAME_LENGTH = 998;
