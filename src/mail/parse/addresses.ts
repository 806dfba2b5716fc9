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

/** All that an address field names, groups opened, leniently. @param latin1 as it stands in the message */
export function addressesOf(latin1: string): MailAddress[] {
  if (latin1.trim() === '') return [];
  const found = parsed(latin1)
    .map(({ name, address }) => ({ name: nameOf(name), address: decodeHeaderBytes(address).trim() }))
    .filter(({ name, address }) => name !== '' || address !== '');
  // A group may be empty; anything else is shown as it is written.
  return found.length > 0 || /[:;]/.test(latin1) ? found : [{ name: nameOf(latin1), address: '' }];
}

/** A parser that is not ours throws on what it did not expect. */
function parsed(text: string): { name: string; address: string }[] {
  try {
    return addressparser(text, { flatten: true });
  } catch {
    return [];
  }
}

const nameOf = (raw: string): string =>
  decodeWords(raw).replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME).toWellFormed();

const LONGEST_NAME = 998;
