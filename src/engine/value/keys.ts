import { createHmac, randomBytes, randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordCost } from '../../config.ts';
import { createSlots } from './slots.ts';

const MAX_CONCURRENT_HASHES = 2;
const MAX_WAITING_HASHES = 60;
const MAX_WAITING_HASHES_PER_ADDRESS = 20;

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^(us|uk)_([0-9a-z]{10})_([0-9a-f]{32})$/;

/** Workspace keys (`us_`, the email REST API's team keys) and user keys (`uk_`). */
type KeyKind = 'us' | 'uk';

/**
 * Generates a key from 10 lookup characters, which encode the workspace, and 128 random bits. The key is shown once and
 * never stored.
 */
export function generateKey(kind: KeyKind, workspaceId: number): { key: string; prefix: string } {
  const digits = workspaceId.toString(36);
  let lookup = `${LENGTH_LETTERS[digits.length - 1]}${digits}`;
  while (lookup.length < 10) lookup += ALPHABET[randomInt(ALPHABET.length)];
  return { key: `${kind}_${lookup}_${randomBytes(16).toString('hex')}`, prefix: `${kind}_${lookup}` };
}

/** First character of the lookup part, by the number of base-36 digits in the workspace id that follows. */
const LENGTH_LETTERS = 'uvwxyz';

const MAX_WORKSPACE_ID = 2_147_483_647;

/**
 * Returns the workspace id encoded in a lookup prefix, or null. In a key restored from an archive, it is the
 * workspace's id on the installation that created the key.
 */
export function parsePrefixWorkspace(prefix: string): number | null {
  const lookup = prefix.slice(3);
  const digits = lookup.slice(1, LENGTH_LETTERS.indexOf(lookup[0]!) + 2);
  return digits === '' || digits.startsWith('0') ? null : toWorkspaceId(Number.parseInt(digits, 36));
}

const toWorkspaceId = (id: number): number | null => (id > 0 && id <= MAX_WORKSPACE_ID ? id : null);

export function parseKeyPrefix(key: string): string | null {
  const match = KEY_PATTERN.exec(key);
  return match ? `${match[1]}_${match[2]}` : null;
}

/** Computes the keyed hash of a random secret. With 128 random bits, a slow hash is unnecessary. */
export const computeKeyedHash = (secretKey: string, value: string): string =>
  createHmac('sha256', secretKey).update(value).digest('hex');

/** Generates a session token from the 32-bit workspace id and 224 random bits. */
export function generateToken(workspaceId: number): string {
  const token = randomBytes(32);
  token.writeUInt32BE(workspaceId);
  return token.toString('base64url');
}

export function parseTokenWorkspace(token: string): number | null {
  const bytes = Buffer.from(token, 'base64url');
  return bytes.length === 32 ? toWorkspaceId(bytes.readUInt32BE()) : null;
}

/** Compares hashes or secrets in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const hashSlots = createSlots(MAX_CONCURRENT_HASHES, MAX_WAITING_HASHES, MAX_WAITING_HASHES_PER_ADDRESS);

/** Cost of hashes that were stored before the cost became part of the hash. */
const LEGACY_COST: PasswordCost = { N: 16_384, r: 8, p: 1 };

/** `maxmem` is twice the memory that scrypt needs. */
const computeSlowHash = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  scryptAsync(password, salt, 32, { N, r, p, maxmem: 256 * N * r });

/**
 * Hashes a password as `scrypt$<N>$<r>$<p>$<salt>$<hash>`. Uses a slow hash because people choose weak passwords.
 * @throws BUSY if too many passwords are being hashed
 */
export async function hashPassword(password: string, cost: PasswordCost, holder = ''): Promise<string> {
  const salt = randomBytes(16);
  const hash = await hashSlots.run(holder, () => computeSlowHash(password, salt, cost));
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/**
 * Verifies a password against a stored hash.
 * @param storedHash result of hashPassword; null if the user has no password, in which case every password is wrong
 * @param cost cost of new hashes; rejecting a wrong password takes at least as long as computing a new hash
 * @param holder identifies who is signing in
 * @throws BUSY if too many passwords are being hashed
 */
export const verifyPassword = (
  password: string,
  storedHash: string | null,
  cost: PasswordCost,
  holder: string,
): Promise<boolean> => hashSlots.run(holder, () => matchesPassword(password, storedHash, cost));

async function matchesPassword(
  password: string,
  storedHash: string | null,
  cost: PasswordCost,
): Promise<boolean> {
  if (storedHash !== null) {
    const { salt, hash, cost: storedCost } = readHash(storedHash);
    const computedHash = await computeSlowHash(password, salt, storedCost);
    if (computedHash.length === hash.length && timingSafeEqual(computedHash, hash)) return true;
    if (isSameCost(storedCost, cost)) return false;
  }
  await computeSlowHash(password, Buffer.alloc(16), cost);
  return false;
}

export const isOutdatedHash = (storedHash: string, cost: PasswordCost): boolean =>
  !isSameCost(readHash(storedHash).cost, cost);

const isSameCost = (a: PasswordCost, b: PasswordCost): boolean => a.N === b.N && a.r === b.r && a.p === b.p;

function readHash(storedHash: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const parts = storedHash.split('$');
  const [salt, hash] = parts.slice(-2).map((part) => Buffer.from(part, 'base64'));
  const [N, r, p] = parts.slice(1, -2).map(Number);
  return { cost: p === undefined ? LEGACY_COST : { N: N!, r: r!, p }, salt: salt!, hash: hash! };
}
