import { createCache, memoizePerObject } from '../../src/cache.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { getNetwork } from '../../src/engine/identity/password.ts';
import { getClientAddress } from '../../src/http/client-address.ts';
import { limits } from '../../src/limits.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

const createCounters = (age: number) =>
  memoizePerObject((_runtime: Runtime) =>
    createCache<string, { count: number }>({ age, entries: limits.identity.entries }),
  );

/** Requests with separate limits, because they cost more than others. */
const COUNTS = {
  registrations: { counts: createCounters(HOUR), age: HOUR, most: limits.oauth.registrations },
  authorizations: { counts: createCounters(MINUTE), age: MINUTE, most: limits.oauth.authorizations },
  requests: { counts: createCounters(MINUTE), age: MINUTE, most: limits.oauth.requests },
};

/** Counts a request of this source. @returns the seconds to wait if the rate limit is exceeded, or null */
export function checkOAuthRate(
  runtime: Runtime,
  workspaceId: number,
  headers: Headers,
  kind: keyof typeof COUNTS,
): number | null {
  const { counts: countsOf, age, most } = COUNTS[kind];
  const counts = countsOf(runtime);
  const key = `${workspaceId} ${getNetwork(getClientAddress(runtime, headers))}`;
  const { count } = counts.getOrCreate(key, () => ({ count: 0 }));
  counts.get(key)!.count = count + 1;
  return count < most ? null : age / 1000;
}
