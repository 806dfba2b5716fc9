import { createHash } from 'node:crypto';
import { createCache, type Loaded, type LoadingCache } from '../../cache.ts';
import type { PasswordCost } from '../../config.ts';
import type { Database } from '../../db/pool.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Candidate, IdentitySource } from '../ctx/product.ts';
import type { Attempt, Caller, Identity, Match } from '../ctx/runtime.ts';
import { checkPassword, hashPassword, isOutdated, keyedHash } from '../value/keys.ts';
import { delay } from './delay.ts';
import {
  type Count,
  type Counted,
  delayOf,
  isPaused,
  noteFailure,
  type Pauses,
  pausesOf,
  readFailures,
  wipeFailures,
} from './failures.ts';
import { createTally } from './tally.ts';

interface Parts {
  db: Database;
  source: IdentitySource;
  secretKey: string;
  cost: PasswordCost;
  callers: LoadingCache<string, Caller>;
}

/**
 * Recognises a user of a workspace by the password. Wrong ones slow down who tries them, counted by the user and
 * not by how it was named; a password that was right just now is not hashed again.
 */
export function createByPassword(parts: Parts): ByPassword {
  const { db, secretKey, callers } = parts;
  const memory = createMemory();
  const { tried, forget } = createTrial(parts, memory);
  const byUser: Identity['byUser'] = async (slug, match, secret, attempt) => {
    const from = { ...attempt, source: networkOf(attempt.source) };
    const who = `${slug} ${match.uid ?? ''} ${match.login ?? ''}`;
    // Before what is kept is looked at: a guess must not be answered by it.
    if (memory.isPaused(who, slug, from.source)) throw errors.tooManyLogins();
    const caller = await callers.get(`password ${who} ${keyedHash(secretKey, secret)}`, () =>
      tried(slug, match, secret, from),
    );
    if (caller && memory.forget(who, from.source))
      await wipeFailures(db, {
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

interface ByPassword {
  byUser: Identity['byUser'];
  /** What is remembered of failures in a workspace, or all, is asked again: a new password may have ended them. */
  forget(workspaceId?: number): void;
}

type Trial = (slug: string, match: Match, secret: string, attempt: Attempt) => Promise<Loaded<Caller> | null>;

/** What happens to a password that is not known from just now. */
function createTrial({ db, source, secretKey, cost }: Parts, memory: Memory) {
  const running = createTally();
  // An attempt may have read the count before another one has raised it.
  const recent = createCache<string, number>({ age: RECENT, entries: limits.identity.entries });
  const fits = createFits(secretKey, cost);

  async function isRight(found: Candidate | null, secret: string, from: string): Promise<boolean> {
    const stored = found?.password ?? null;
    if (fits.isKnown(stored, secret)) return true;
    if (!(await checkPassword(secret, stored, cost, from))) return false;
    fits.remember(stored!, secret);
    if (isOutdated(stored!, cost))
      await source.rehash(found!.workspaceId, found!.userId, stored!, await hashPassword(secret, cost, from));
    return true;
  }

  const tried: Trial = async (slug, match, secret, attempt) => {
    const found = await source.candidate(slug, match);
    const counted = await countedAs(source, found, slug, match, attempt.source);
    const pair = `${counted.workspaceId} ${counted.user} ${counted.source}`;
    const read = await readFailures(db, counted);
    const counts = { ...read, pair: newer(read.pair, recent.get(pair)) };
    const who = `${slug} ${match.uid ?? ''} ${match.login ?? ''}`;
    if (isPaused(pausesOf(counts, running.of(pair)))) {
      memory.note(who, slug, counted, pausesOf(counts, 0));
      throw errors.tooManyLogins();
    }
    const outcome = await running.during(pair, async () => {
      await delay(delayOf(counts));
      if (await isRight(found, secret, counted.source)) {
        if (counts.pair.failures > 0) await wipeFailures(db, counted);
        recent.delete(pair);
        return found!;
      }
      const failed = await noteFailure(db, counted);
      // Answers of the database may overtake each other.
      recent.set(pair, Math.max(failed.pair.failures, recent.get(pair) ?? 0));
      memory.note(who, slug, counted, pausesOf(failed, 0));
      return failed;
    });
    if ('load' in outcome) return outcome.load();
    await attempt.failed(outcome);
    return null;
  };
  const forget = (workspaceId?: number) =>
    recent.forget((_, pair) => !workspaceId || pair.startsWith(`${workspaceId} `));
  return { tried, forget };
}

async function countedAs(
  source: IdentitySource,
  found: Candidate | null,
  slug: string,
  match: Match,
  from: string,
): Promise<Counted> {
  if (found) return { workspaceId: found.workspaceId, user: `user ${found.userId}`, source: from };
  const typed = createHash('sha256')
    .update(`${match.uid ?? ''} ${match.login ?? ''}`)
    .digest('base64url');
  const workspace = await source.workspace(slug);
  return { workspaceId: workspace?.value.id ?? 0, user: `no user ${typed}`, source: from };
}

type Memory = ReturnType<typeof createMemory>;

/** Who has failed here, under the name that was typed, and until when that has to wait. */
function createMemory() {
  const until = createCache<string, { at: number; workspaceId: number }>({
    age: limits.identity.failureTime,
    entries: limits.identity.entries,
  });
  const isOver = (name: string): boolean => (until.get(name)?.at ?? 0) <= Date.now();
  return {
    isPaused: (who: string, slug: string, from: string): boolean =>
      !isOver(`${who} ${from}`) || !isOver(`${slug} ${from}`),
    note(who: string, slug: string, { source, workspaceId }: Counted, pauses: Pauses): void {
      const now = Date.now();
      until.set(`${who} ${source}`, { at: now + pauses.pair, workspaceId });
      if (pauses.source > 0) until.set(`${slug} ${source}`, { at: now + pauses.source, workspaceId });
    },
    /** @returns whether there was anything to forget */
    forget(who: string, from: string): boolean {
      const had = until.get(`${who} ${from}`) !== undefined;
      until.delete(`${who} ${from}`);
      return had;
    },
    forgetAll: (workspaceId?: number): void =>
      until.forget((pause) => !workspaceId || pause.workspaceId === workspaceId),
  };
}

const RECENT = 5_000;

const newer = (read: Count, recent = 0): Count =>
  recent > read.failures ? { failures: recent, age: 0 } : read;

/** Passwords that are known to fit the hash that is stored now. */
function createFits(secretKey: string, cost: PasswordCost) {
  const known = createCache<string, true>({
    age: limits.identity.passwordAge,
    entries: limits.identity.entries,
  });
  const nameOf = (stored: string, password: string) => `${stored} ${keyedHash(secretKey, password)}`;
  return {
    isKnown: (stored: string | null, password: string): boolean =>
      stored !== null && !isOutdated(stored, cost) && known.get(nameOf(stored, password)) === true,
    remember: (stored: string | null, password: string): void => known.set(nameOf(stored!, password), true),
  };
}

/** The address a source is counted by: who has one of IPv6 has the 2^64 beside it. Pure. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return `${[...before, ...Array(zeros).fill('0'), ...after].slice(0, 4).join(':')}::/64`;
}
