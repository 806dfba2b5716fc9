import { createCache, memoizePerObject } from '../../src/cache.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { getNetwork } from '../../src/engine/identity/password.ts';
import { getClientAddress } from '../../src/http/client-address.ts';
import { limits } from '../../src/limits.ts';

/** Maximum number of client registrations from one address in one workspace, per hour and process. */
export const MAX_REGISTRATIONS_PER_HOUR = 100;
/** Maximum number of sign-ins that programs on one address start in one workspace, per minute and process. */
export const MAX_AUTHORIZATIONS_PER_MINUTE = 30;
/** Maximum number of other requests from one address to a workspace's authorization server, per minute and process. */
const MAX_REQUESTS_PER_MINUTE = 300;

const HOUR = 3_600_000;
const MINUTE = 60_000;

const createCounters = (age: number) =>
  memoizePerObject((_runtime: Runtime) =>
    createCache<string, { count: number }>({ age, entries: limits.identity.entries }),
  );

/** Requests that have separate limits because they cost more than others. */
const COUNTS = {
  registrations: { counts: createCounters(HOUR), age: HOUR, max: MAX_REGISTRATIONS_PER_HOUR },
  authorizations: { counts: createCounters(MINUTE), age: MINUTE, max: MAX_AUTHORIZATIONS_PER_MINUTE },
  requests: { counts: createCounters(MINUTE), age: MINUTE, max: MAX_REQUESTS_PER_MINUTE },
};

/** Counts a request of this source. @returns the seconds to wait if the rate limit is exceeded, or null */
export function checkOAuthRate(
  runtime: Runtime,
  workspaceId: number,
  headers: Headers,
  kind: keyof typeof COUNTS,
): number | null {
  const { counts: countsOf, age, max } = COUNTS[kind];
  const counts = countsOf(runtime);
  const key = `${workspaceId} ${getNetwork(getClientAddress(runtime, headers))}`;
  const { count } = counts.getOrCreate(key, () => ({ count: 0 }));
  counts.get(key)!.count = count + 1;
  return count < max ? null : age / 1000;
}
