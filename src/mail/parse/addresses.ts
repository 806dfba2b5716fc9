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
const LONGEST_FIELD = 128 * 1024;
const MOST_SEPARATORS = 5_000;

/**
 * All that an address field names, groups opened, leniently; of a field over the limits, its beginning.
 * @param field as it stands in the message, a character a byte
 * @param charset character set of names that are not UTF-8
 */
export function addressesOf(field: string, charset: string | null = null): MailAddress[] {
  const latin1 = beginningOf(field);
  if (latin1.trim() === '') return [];
  const found = parsed(latin1)
    .map(({ name, address }) => ({ name: nameOf(name, charset), address: decodeHeaderBytes(address).trim() }))
    .filter(({ name, address }) => name !== '' || address !== '');
  // A group may be empty; anything else is shown as it is written.
  return found.length > 0 || /[:;]/.test(latin1) ? found : [{ name: nameOf(latin1, charset), address: '' }];
}

function beginningOf(field: string): string {
  let separators = 0;
  const end = Math.min(field.length, LONGEST_FIELD);
  for (let at = 0; at < end; at++) {
    const char = field[at];
    if ((char === ',' || char === ';' || char === ':') && ++separators > MOST_SEPARATORS)
      return field.slice(0, at);
  }
  return field.slice(0, end);
}

/** A parser that is not ours throws on what it did not expect. */
function parsed(text: string): { name: string; address: string }[] {
  try {
    return addressparser(text, { flatten: true });
  } catch {
    return [];
  }
}

const nameOf = (raw: string, charset: string | null): string =>
  decodeWords(raw, charset).replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME).toWellFormed();

const LONGEST_NAME = 998;
