import { RpcParseError } from '../faults.ts';

/** @throws RpcParseError if the text does not have the type */
type ScalarReader = (text: string) => unknown;

/** XML-RPC's scalar elements, including common extension types (`nil`, `i1`, `i2`, `i8`). */
export const SCALARS: ReadonlyMap<string, ScalarReader> = new Map<string, ScalarReader>([
  ['string', (text) => text],
  ['int', parseInteger],
  ['i1', parseInteger],
  ['i2', parseInteger],
  ['i4', parseInteger],
  ['i8', parseInteger],
  ['boolean', parseBoolean],
  ['double', parseDouble],
  ['nil', parseNil],
  ['dateTime.iso8601', parseDateTime],
  ['base64', parseBase64],
]);

const MAX_DIGITS = 400;

/** Clients send integers of any size as `<int>`, so all integer types accept the range of safe JSON numbers. */
function parseInteger(text: string): number {
  const digits = text.trim();
  if (digits.length > MAX_DIGITS) throw createOutOfRangeError('int', digits);
  if (!/^[+-]?\d+$/.test(digits)) throw createBadScalarError('int', text);
  const value = Number(digits);
  if (!Number.isSafeInteger(value)) throw createOutOfRangeError('int', digits);
  return value + 0;
}

function parseDouble(text: string): number {
  const digits = text.trim();
  if (digits.length > MAX_DIGITS) throw createOutOfRangeError('double', digits);
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits))
    throw createBadScalarError('double', text);
  const value = Number(digits);
  if (!Number.isFinite(value)) throw createOutOfRangeError('double', digits);
  return value + 0;
}

function parseBoolean(text: string): boolean {
  const digit = text.trim();
  if (digit !== '0' && digit !== '1') throw createBadScalarError('boolean', text);
  return digit === '1';
}

function parseNil(text: string): null {
  if (text.trim() !== '') throw createBadScalarError('nil', text);
  return null;
}

const ISO8601 =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?)?(Z|[+-]\d{2}:?(?:\d{2})?)?)?$/;

/** Converts a date and time to `YYYY-MM-DD HH:MM:SS` in UTC. Assumes UTC if no time zone is specified. */
function parseDateTime(text: string): string {
  const parts = ISO8601.exec(text.trim());
  if (!parts) throw createBadScalarError('dateTime.iso8601', text);
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone] = parts;
  const stamp = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const instant = new Date(`${stamp}.000Z`);
  // Date rolls February 30 over to March, so a changed value means an invalid date.
  if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(stamp)) {
    throw createBadScalarError('dateTime.iso8601', text);
  }
  const utc = new Date(instant.getTime() - parseOffsetMinutes(zone) * 60_000);
  return utc.toISOString().slice(0, 19).replace('T', ' ');
}

function parseOffsetMinutes(zone: string | undefined): number {
  if (!zone || zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0);
  return zone[0] === '-' ? -minutes : minutes;
}

/** Removes line breaks, because binary fields contain base64 without them. */
function parseBase64(text: string): string {
  const compactText = text.replace(/\s+/g, '');
  const body = compactText.replace(/={1,2}$/, '');
  // Two simple searches, because a single anchored pattern would overflow the matcher's stack on an attachment.
  if (/[^A-Za-z0-9+/]/.test(body) || compactText.length % 4 !== 0) throw createBadScalarError('base64', text);
  return compactText;
}

const createBadScalarError = (type: string, text: string) =>
  new RpcParseError(`${JSON.stringify(text.slice(0, 40))} is not a valid ${type}`);

const createOutOfRangeError = (type: string, text: string) =>
  new RpcParseError(`${text.slice(0, 40)} is out of the range of ${type}`);
