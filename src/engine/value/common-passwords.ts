import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

// Bloom filter of the passwords that attackers try first, written by scripts/common-passwords.ts.

export const FILTER_FILE = new URL('./common-passwords.bin', import.meta.url);

const BITS_PER_PASSWORD = 16;

let passwordFilter: Buffer | undefined;

/**
 * Returns true for a common password, ignoring case, spaces at the ends and the width of characters. About ten in a
 * million other passwords are false positives.
 */
export function isCommonPassword(password: string): boolean {
  passwordFilter ??= readFileSync(FILTER_FILE);
  return isInFilter(passwordFilter, normalizePassword(password));
}

export const normalizePassword = (password: string): string =>
  password.normalize('NFKC').toLowerCase().trim();

export const isInFilter = (filter: Buffer, password: string): boolean =>
  computeBits(filter, password).every((index) => filter[index >> 3]! & (1 << (index & 7)));

export function addPassword(filter: Buffer, password: string): void {
  for (const place of computeBits(filter, password)) filter[place >> 3]! |= 1 << (place & 7);
}

/** Double hashing as in Kirsch and Mitzenmacher, "Less Hashing, Same Performance" (2006). */
function computeBits(filter: Buffer, password: string): number[] {
  const hash = createHash('sha256').update(password).digest();
  const [first, step] = [hash.readUInt32LE(0), hash.readUInt32LE(4)];
  return Array.from(
    { length: BITS_PER_PASSWORD },
    (_, index) => (first + index * step) % (filter.length * 8),
  );
}
