import { createHmac, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const FORM = /^(us|uk)_([0-9a-z]{10})_([0-9a-f]{32})$/;

/** A key's two sorts: of a workspace (`us_`, the email REST API's team key) and of a user (`uk_`). */
type KeySort = 'us' | 'uk';

/** A new key: 10 characters to look it up by and 128 random bits. The value is shown once and never stored. */
export function newKey(sort: KeySort): { key: string; prefix: string } {
  let lookup = '';
  for (let i = 0; i < 10; i++) lookup += ALPHABET[randomInt(ALPHABET.length)];
  return { key: `${sort}_${lookup}_${randomBytes(16).toString('hex')}`, prefix: `${sort}_${lookup}` };
}

/** The look-up prefix of something that has the form of a key, else null. */
export function prefixOf(key: string): string | null {
  const match = FORM.exec(key);
  return match ? `${match[1]}_${match[2]}` : null;
}

/** Keyed hash of a random secret; 128 random bits need no slow hash. */
export const keyedHash = (secretKey: string, value: string): string =>
  createHmac('sha256', secretKey).update(value).digest('hex');

/** A session token: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Compares two hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);
const COST = { N: 16384, r: 8, p: 1 };

/** `scrypt$<salt>$<hash>`; passwords are chosen by people, so this one is slow on purpose. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, 32, COST);
  return `scrypt$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/**
 * Whether a password is the one that was hashed.
 * @param stored what hashPassword gave; null when there is none, and the answer is then no
 */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  // An unknown login costs as much as a wrong password.
  const [, salt, hash] = (stored ?? `scrypt$${'A'.repeat(22)}==$${'A'.repeat(43)}=`).split('$');
  const given = await derive(password, Buffer.from(salt!, 'base64'), 32, COST);
  const kept = Buffer.from(hash!, 'base64');
  return stored !== null && given.length === kept.length && timingSafeEqual(given, kept);
}
