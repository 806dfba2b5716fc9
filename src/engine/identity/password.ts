import { createHash } from 'node:crypto';
import { createCache, type LoadedValue, type LoadingCache } from '../../cache.ts';
import type { PasswordCost } from '../../config.ts';
import type { Database } from '../../db/pool.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { IdentitySource, SignInCandidate } from '../ctx/product.ts';
import type { Caller, Identity, SignInAttempt, UserMatch } from '../ctx/runtime.ts';
import { computeKeyedHash, hashPassword, isOutdatedHash, verifyPassword } from '../value/keys.ts';
import { delayResponse } from './delay.ts';
import {
  type AttemptKey,
  type Cooldowns,
  clearFailures,
  computeCooldowns,
  computeDelay,
  type FailureCount,
  isCoolingDown,
  readFailures,
  recordFailure,
} from './failures.ts';
import { createTally } from './tally.ts';

const VERIFIED_PASSWORD_TTL_MS = 3_600_000;

interface PasswordParts {
  db: Database;
  source: IdentitySource;
  secretKey: string;
  cost: PasswordCost;
  callers: LoadingCache<string, Caller>;
}

/**
 * Authenticates a user by password. Failures slow down further attempts, and are counted per user, whether the caller
 * sent the login or the id. A recently verified password is not hashed again.
 */
export function createPasswordAuthenticator(parts: PasswordParts): PasswordAuthenticator {
  const { db, secretKey, callers } = parts;
  const memory = createFailureMemory();
  const { tried, forget } = createPasswordTrial(parts, memory);
  const byUser: Identity['byUser'] = async (slug, match, secret, attempt) => {
    const from = { ...attempt, source: getNetwork(attempt.source) };
    const userKey = `${slug} ${match.uid ?? ''} ${match.login ?? ''}`;
    // Checked before the cache, so that a cooldown does not reveal whether a guess is correct.
    if (memory.isPaused(userKey, slug, from.source)) throw errors.tooManyLogins();
    const caller = await callers.get(`password ${userKey} ${computeKeyedHash(secretKey, secret)}`, () =>
      tried(slug, match, secret, from),
    );
    if (caller && memory.forget(userKey, from.source))
      await clearFailures(db, {
        workspaceId: caller.workspace.id,
        user: `user ${caller.principal.userId}`,
        source: from.source,
      });
    return caller;
  };
  return {
    byUser,
    forget(workspaceId) {
      memory.forgetAll(workspaceId);
      forget(workspaceId);
    },
  };
}

interface PasswordAuthenticator {
  byUser: Identity['byUser'];
  /** Drops the cached failures of one workspace, or of all, because a new password may have cleared the stored ones. */
  forget(workspaceId?: number): void;
}

type PasswordTrial = (
  slug: string,
  match: UserMatch,
  secret: string,
  attempt: SignInAttempt,
) => Promise<LoadedValue<Caller> | null>;

function createPasswordTrial({ db, source, secretKey, cost }: PasswordParts, memory: FailureMemory) {
  const running = createTally();
  // Covers concurrent attempts that read the counter before it was increased.
  const recent = createCache<string, number>({ age: RECENT_MS, entries: limits.identity.entries });
  const fits = createPasswordMatcher(secretKey, cost);

  async function isPasswordCorrect(
    candidate: SignInCandidate | null,
    secret: string,
    from: string,
  ): Promise<boolean> {
    const storedHash = candidate?.password ?? null;
    if (fits.isKnown(storedHash, secret)) return true;
    if (!(await verifyPassword(secret, storedHash, cost, from))) return false;
    fits.remember(storedHash!, secret);
    if (isOutdatedHash(storedHash!, cost))
      await source.rehash(
        candidate!.workspaceId,
        candidate!.userId,
        storedHash!,
        await hashPassword(secret, cost, from),
      );
    return true;
  }

  const tryPassword: PasswordTrial = async (slug, match, secret, attempt) => {
    const candidate = await source.candidate(slug, match);
    const attemptKey = await buildAttemptKey(source, candidate, slug, match, attempt.source);
    const pair = `${attemptKey.workspaceId} ${attemptKey.user} ${attemptKey.source}`;
    const failures = await readFailures(db, attemptKey);
    const counts = { ...failures, pair: pickHigherCount(failures.pair, recent.get(pair)) };
    const userKey = `${slug} ${match.uid ?? ''} ${match.login ?? ''}`;
    if (isCoolingDown(computeCooldowns(counts, running.of(pair)))) {
      memory.note(userKey, slug, attemptKey, computeCooldowns(counts, 0));
      throw errors.tooManyLogins();
    }
    const outcome = await running.during(pair, async () => {
      await delayResponse(computeDelay(counts));
      if (await isPasswordCorrect(candidate, secret, attemptKey.source)) {
        if (counts.pair.failures > 0) await clearFailures(db, attemptKey);
        recent.delete(pair);
        return candidate!;
      }
      const history = await recordFailure(db, attemptKey);
      // Database results can arrive out of order.
      recent.set(pair, Math.max(history.pair.failures, recent.get(pair) ?? 0));
      memory.note(userKey, slug, attemptKey, computeCooldowns(history, 0));
      return history;
    });
    if ('load' in outcome) return outcome.load();
    await attempt.failed(outcome);
    return null;
  };
  const forget = (workspaceId?: number) =>
    recent.deleteWhere((_, pair) => !workspaceId || pair.startsWith(`${workspaceId} `));
  return { tried: tryPassword, forget };
}

async function buildAttemptKey(
  source: IdentitySource,
  candidate: SignInCandidate | null,
  slug: string,
  match: UserMatch,
  from: string,
): Promise<AttemptKey> {
  if (candidate)
    return { workspaceId: candidate.workspaceId, user: `user ${candidate.userId}`, source: from };
  const digest = createHash('sha256')
    .update(`${match.uid ?? ''} ${match.login ?? ''}`)
    .digest('base64url');
  const workspace = await source.workspace(slug);
  return { workspaceId: workspace?.value.id ?? 0, user: `no user ${digest}`, source: from };
}

type FailureMemory = ReturnType<typeof createFailureMemory>;

/** Caches the end of each cooldown, by the name as entered. */
function createFailureMemory() {
  const until = createCache<string, { at: number; workspaceId: number }>({
    age: limits.identity.failureTime,
    entries: limits.identity.entries,
  });
  const isCooldownOver = (name: string): boolean => (until.get(name)?.at ?? 0) <= Date.now();
  return {
    isPaused: (userKey: string, slug: string, from: string): boolean =>
      !isCooldownOver(`${userKey} ${from}`) || !isCooldownOver(`${slug} ${from}`),
    note(userKey: string, slug: string, { source, workspaceId }: AttemptKey, pauses: Cooldowns): void {
      const now = Date.now();
      until.set(`${userKey} ${source}`, { at: now + pauses.pair, workspaceId });
      if (pauses.source > 0) until.set(`${slug} ${source}`, { at: now + pauses.source, workspaceId });
    },
    /** @returns true if there was an entry */
    forget(userKey: string, from: string): boolean {
      const wasPaused = until.get(`${userKey} ${from}`) !== undefined;
      until.delete(`${userKey} ${from}`);
      return wasPaused;
    },
    forgetAll: (workspaceId?: number): void =>
      until.deleteWhere((pause) => !workspaceId || pause.workspaceId === workspaceId),
  };
}

const RECENT_MS = 5_000;

const pickHigherCount = (failures: FailureCount, recent = 0): FailureCount =>
  recent > failures.failures ? { failures: recent, age: 0 } : failures;

function createPasswordMatcher(secretKey: string, cost: PasswordCost) {
  const verifiedPasswords = createCache<string, true>({
    age: VERIFIED_PASSWORD_TTL_MS,
    entries: limits.identity.entries,
  });
  const buildMemoKey = (storedHash: string, password: string) =>
    `${storedHash} ${computeKeyedHash(secretKey, password)}`;
  return {
    isKnown: (storedHash: string | null, password: string): boolean =>
      storedHash !== null &&
      !isOutdatedHash(storedHash, cost) &&
      verifiedPasswords.get(buildMemoKey(storedHash, password)) === true,
    remember: (storedHash: string | null, password: string): void =>
      verifiedPasswords.set(buildMemoKey(storedHash!, password), true),
  };
}

/**
 * Returns the network by which a source address is counted. A client with one IPv6 address usually controls the whole
 * /64.
 */
export function getNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return `${[...before, ...Array(zeros).fill('0'), ...after].slice(0, 4).join(':')}::/64`;
}
