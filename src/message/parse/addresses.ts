import addressparser from 'nodemailer/lib/addressparser';
import { decodeHeaderBytes } from './charset.ts';
import { decodeWords } from './header-words.ts';

export interface MailAddress {
  name: string;
  /** The address as written. Empty for a name without an address. */
  address: string;
}

/** Maximum characters to parse. Parsing time grows with the length and the number of separators. */
const MAX_FIELD_CHARS = 128 * 1024;
const MAX_SEPARATORS = 5_000;

/**
 * Leniently parses all addresses of a field, including group members. Ignores the rest of a field beyond the limits.
 * @param field raw value, one character per byte
 * @param charset charset of names that are not UTF-8
 */
export function parseAddresses(field: string, charset: string | null = null): MailAddress[] {
  const latin1 = truncateField(field);
  if (latin1.trim() === '') return [];
  const addresses = parseLeniently(latin1)
    .map(({ name, address }) => ({
      name: decodeName(name, charset),
      address: decodeHeaderBytes(address).trim(),
    }))
    .filter(({ name, address }) => name !== '' || address !== '');
  // A group may be empty. Other text is displayed as written.
  return addresses.length > 0 || /[:;]/.test(latin1)
    ? addresses
    : [{ name: decodeName(latin1, charset), address: '' }];
}

export const isAddressFieldCut = (field: string): boolean => truncateField(field).length < field.length;

function truncateField(field: string): string {
  let separators = 0;
  const end = Math.min(field.length, MAX_FIELD_CHARS);
  for (let index = 0; index < end; index++) {
    const char = field[index];
    if ((char === ',' || char === ';' || char === ':') && ++separators > MAX_SEPARATORS)
      return field.slice(0, index);
  }
  return field.slice(0, end);
}

/** The library throws on unexpected input. */
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
