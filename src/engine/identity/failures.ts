import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';
import type { FailureCounts } from '../ctx/runtime.ts';

// Failed sign-ins are counted in the database, so that all processes share the counters.

/** Failures per user and address before a cooldown. */
export const MAX_SIGN_IN_FAILURES = 5;
/** First cooldown of an address. Each further failure doubles it. */
export const FIRST_SOURCE_COOLDOWN_MS = 1_000;
const MAX_SOURCE_COOLDOWN_MS = 60_000;
/** Failures per user, across all addresses, before responses are delayed. */
export const MAX_USER_FAILURES = 20;
const MAX_USER_DELAY_MS = 3_000;
/** Failures per workspace that the audit trail records individually. Further failures are sampled. */
export const MAX_AUDITED_FAILURES = 1_000;

/** Identifies a sign-in attempt for counting. The workspace is 0 if it does not exist. */
export interface AttemptKey {
  workspaceId: number;
  /** The user's id, or a hash of the entered name if there is no such user. */
  user: string;
  source: string;
}

export interface FailureCount {
  failures: number;
  /** Milliseconds since the last failure. */
  age: number;
}

/** Failures by user and source, by source, by the source's site, by user, and in the whole workspace. */
export type FailureHistory = Record<'pair' | 'source' | 'site' | 'user' | 'all', FailureCount>;

const COUNTER_KINDS = ['pair', 'source', 'user', 'all', 'site'] as const;

function buildCounterNames({ user, source }: AttemptKey): string[] {
  const site = getNetworkSite(source);
  return [`${user} at ${source}`, `at ${source}`, user, 'all', ...(site ? [`at ${site}`] : [])];
}

/**
 * Returns the /48 that contains an IPv6 network, because a provider may assign all of it to one customer. Null for
 * other addresses.
 */
export const getNetworkSite = (source: string): string | null => {
  const [, site] = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/i.exec(source) ?? [];
  return site ? `${site}:/48` : null;
};

const NO_FAILURES: FailureCount = { failures: 0, age: 0 };

export async function readFailures(db: Db, attemptKey: AttemptKey): Promise<FailureHistory> {
  const now = new Date();
  return buildHistory(
    attemptKey,
    now,
    await db.rows<FailureRow>(
      sql`select what, failures, ${LAST_MS} as last from svc_sign_in_failure f
        where workspace_id = ${attemptKey.workspaceId} and what = any(${buildCounterNames(attemptKey)})
          and last_at > ${getExpiryTime(now)}`,
    ),
  );
}

export async function recordFailure(db: Db, attemptKey: AttemptKey): Promise<FailureHistory> {
  const now = new Date();
  const rows = [...buildCounterNames(attemptKey)]
    .sort()
    .map((counterName) => sql`(${attemptKey.workspaceId}, ${counterName}, 1, ${toUtcSql(now)})`);
  return buildHistory(
    attemptKey,
    now,
    await db.rows<FailureRow>(
      // Sorted, so that concurrent failures lock the rows in the same order and cannot deadlock.
      sql`insert into svc_sign_in_failure as f (workspace_id, what, failures, last_at)
        values ${sql.join(rows)}
        on conflict (workspace_id, what) do update
          set failures = case when f.last_at > ${getExpiryTime(now)} then f.failures + 1 else 1 end,
            last_at = excluded.last_at
        returning what, failures, ${LAST_MS} as last`,
    ),
  );
}

/** Clears the user's failures at this source after a correct password. All other counters are kept. */
export async function clearFailures(db: Db, attemptKey: AttemptKey): Promise<void> {
  const [pair] = buildCounterNames(attemptKey);
  await db.rows(
    sql`delete from svc_sign_in_failure where workspace_id = ${attemptKey.workspaceId} and what = ${pair}`,
  );
}

/**
 * Clears all failures of users whose password an administrator has reset, so that the new password works immediately.
 */
export async function clearUserFailures(
  db: Db,
  workspaceId: number,
  users: readonly number[],
): Promise<void> {
  const names = users.map((id) => `user ${id}`);
  await db.rows(
    sql`delete from svc_sign_in_failure where workspace_id = ${workspaceId}
      and (what = any(${names}) or what like any(${names.map((name) => `${name} at %`)}))`,
  );
}

interface FailureRow {
  what: string;
  failures: number;
  /** Unix time in milliseconds. */
  last: number;
}

const LAST_MS = sql`(extract(epoch from f.last_at) * 1000)::float8`;

const getExpiryTime = (now: Date): Sql => toUtcSql(new Date(now.getTime() - limits.identity.failureTime));

/** Formats a time for a timestamp column without time zone, which stores UTC. */
const toUtcSql = (time: Date): Sql => sql`${time.toISOString()}::timestamp`;

function buildHistory(attemptKey: AttemptKey, now: Date, rows: FailureRow[]): FailureHistory {
  const history = new Map(
    rows.map(({ what, failures, last }) => [what, { failures, age: now.getTime() - last }]),
  );
  const names = buildCounterNames(attemptKey);
  const entries = COUNTER_KINDS.map((kind, index) => [kind, history.get(names[index] ?? '') ?? NO_FAILURES]);
  return Object.fromEntries(entries) as FailureHistory;
}

/** Remaining cooldowns in milliseconds. A value of 0 or less means that no cooldown applies. */
export interface Cooldowns {
  pair: number;
  source: number;
}

export const isCoolingDown = ({ pair, source }: Cooldowns): boolean => pair > 0 || source > 0;

/**
 * Computes how long further attempts are rejected: attempts by this user at this source, and attempts by any user at
 * this source or its site. `running` attempts of the pair count as failures until they end.
 */
export function computeCooldowns({ pair, source, site }: FailureHistory, running: number): Cooldowns {
  const ownFailures = { failures: pair.failures + running, age: running > 0 ? 0 : pair.age };
  return {
    pair: computePairCooldown(ownFailures.failures) - ownFailures.age,
    source: Math.max(
      computeSourceCooldown(source.failures, limits.identity.sourceFailures) - source.age,
      computeSourceCooldown(site.failures, limits.identity.siteFailures) - site.age,
    ),
  };
}

const computePairCooldown = (failures: number): number =>
  computeBackoff(failures, MAX_SIGN_IN_FAILURES, limits.identity.loginPause, limits.identity.maxLoginPause);

const computeSourceCooldown = (failures: number, freeFailures: number): number =>
  computeBackoff(failures, freeFailures, FIRST_SOURCE_COOLDOWN_MS, MAX_SOURCE_COOLDOWN_MS);

/**
 * Computes a backoff in milliseconds: 0 below `freeFailures` failures, then `first`, which doubles with each further
 * failure up to `max`.
 */
export const computeBackoff = (failures: number, freeFailures: number, first: number, max: number): number =>
  failures < freeFailures ? 0 : Math.min(max, first * 2 ** Math.min(failures - freeFailures, 30));

/**
 * Computes the delay in milliseconds after others have failed to sign in as the user. An attacker can slow the user
 * down a little, but cannot lock them out.
 */
export const computeDelay = ({ user, pair }: FailureHistory): number =>
  Math.min(
    MAX_USER_DELAY_MS,
    Math.max(0, user.failures - pair.failures - MAX_USER_FAILURES) * limits.identity.userDelay,
  );

/** Returns true for failures that get a separate audit entry: the first ones, and then each time the count doubles. */
export const shouldAuditFailure = ({ pair, source, all }: FailureCounts): boolean =>
  isSampled(pair.failures, MAX_SIGN_IN_FAILURES) &&
  isSampled(source.failures, limits.identity.sourceFailures) &&
  isSampled(all.failures, MAX_AUDITED_FAILURES);

/** Returns true for every count up to `freeCount`, and then at 2, 4, 8 … times `freeCount`. */
export const isSampled = (count: number, freeCount: number): boolean =>
  count <= freeCount || Number.isInteger(Math.log2(count / freeCount));
