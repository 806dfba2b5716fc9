import { createHmac, randomBytes, randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordCost } from '../../config.ts';
import { limits } from '../../limits.ts';
import { createSlots } from './slots.ts';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^(us|uk)_([0-9a-z]{10})_([0-9a-f]{32})$/;

/** A key's two sorts: of a workspace (`us_`, the email REST API's team key) and of a user (`uk_`). */
type KeyKind = 'us' | 'uk';

/**
 * A new key: 10 characters to look it up by, which say its workspace, and 128 random bits. The value is shown once and
 * never stored.
 */
export function generateKey(sort: KeyKind, workspaceId: number): { key: string; prefix: string } {
  const digits = workspaceId.toString(36);
  let lookup = `${LENGTH_LETTERS[digits.length - 1]}${digits}`;
  while (lookup.length < 10) lookup += ALPHABET[randomInt(ALPHABET.length)];
  return { key: `${sort}_${lookup}_${randomBytes(16).toString('hex')}`, prefix: `${sort}_${lookup}` };
}

/** How a look-up begins, by the number of digits of the workspace (base 36) that follow. */
const LENGTH_LETTERS = 'uvwxyz';

/** The largest id of a workspace. */
const MAX_WORKSPACE_ID = 2_147_483_647;

/**
 * The workspace that a look-up prefix says; null where it says none. A key that came with an archive says that of the
 * installation it was made in.
 */
export function parsePrefixWorkspace(prefix: string): number | null {
  const lookup = prefix.slice(3);
  const digits = lookup.slice(1, LENGTH_LETTERS.indexOf(lookup[0]!) + 2);
  return digits === '' || digits.startsWith('0') ? null : toWorkspaceId(Number.parseInt(digits, 36));
}

const toWorkspaceId = (id: number): number | null => (id > 0 && id <= MAX_WORKSPACE_ID ? id : null);

/** The look-up prefix of something that has the form of a key, else null. */
export function parseKeyPrefix(key: string): string | null {
  const match = KEY_PATTERN.exec(key);
  return match ? `${match[1]}_${match[2]}` : null;
}

/** Keyed hash of a random secret; 128 random bits need no slow hash. */
export const computeKeyedHash = (secretKey: string, value: string): string =>
  createHmac('sha256', secretKey).update(value).digest('hex');

/** A session token: its workspace in 32 bits, and 224 random bits. */
export function generateToken(workspaceId: number): string {
  const token = randomBytes(32);
  token.writeUInt32BE(workspaceId);
  return token.toString('base64url');
}

/** The workspace that a token says; null where it says none. */
export function parseTokenWorkspace(token: string): number | null {
  const bytes = Buffer.from(token, 'base64url');
  return bytes.length === 32 ? toWorkspaceId(bytes.readUInt32BE()) : null;
}

/** Compares two hashes, or secrets, in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const hashSlots = createSlots(
  limits.identity.hashes,
  limits.identity.hashQueue,
  limits.identity.hashQueueOfOne,
);

/** What hashes had before their cost was part of them. */
const LEGACY_COST: PasswordCost = { N: 16_384, r: 8, p: 1 };

/** Twice what scrypt says it needs. */
const computeSlowHash = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  scryptAsync(password, salt, 32, { N, r, p, maxmem: 256 * N * r });

/**
 * `scrypt$<N>$<r>$<p>$<salt>$<hash>`; passwords are chosen by people, so this one is slow on purpose.
 * @throws BUSY when too many passwords are being hashed
 */
export async function hashPassword(password: string, cost: PasswordCost, holder = ''): Promise<string> {
  const salt = randomBytes(16);
  const hash = await hashSlots.run(holder, () => computeSlowHash(password, salt, cost));
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/**
 * Whether a password is the one that was hashed.
 * @param stored what hashPassword gave; null when there is none, and the answer is then no
 * @param cost of new hashes: a wrong password costs as much whatever is stored
 * @param holder whose attempt it is
 * @throws BUSY when too many passwords are being hashed
 */
export const verifyPassword = (
  password: string,
  stored: string | null,
  cost: PasswordCost,
  holder: string,
): Promise<boolean> => hashSlots.run(holder, () => matchesPassword(password, stored, cost));

async function matchesPassword(
  password: string,
  stored: string | null,
  cost: PasswordCost,
): Promise<boolean> {
  if (stored !== null) {
    const { salt, hash, cost: own } = readHash(stored);
    const given = await computeSlowHash(password, salt, own);
    if (given.length === hash.length && timingSafeEqual(given, hash)) return true;
    if (isSameCost(own, cost)) return false;
  }
  await computeSlowHash(password, Buffer.alloc(16), cost);
  return false;
}

/** Whether a hash is of another cost than new ones. */
export const isOutdated = (stored: string, cost: PasswordCost): boolean =>
  !isSameCost(readHash(stored).cost, cost);

const isSameCost = (a: PasswordCost, b: PasswordCost): boolean => a.N === b.N && a.r === b.r && a.p === b.p;

function readHash(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const parts = stored.split('$');
  const [salt, hash] = parts.slice(-2).map((part) => Buffer.from(part, 'base64'));
  const [N, r, p] = parts.slice(1, -2).map(Number);
  return { cost: p === undefined ? LEGACY_COST : { N: N!, r: r!, p }, salt: salt!, hash: hash! };
}
