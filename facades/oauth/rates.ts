import { createCache, memoizePerObject } from '../../src/cache.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { getNetwork } from '../../src/engine/identity/password.ts';
import { getClientAddress } from '../../src/http/client-address.ts';
import { limits } from '../../src/limits.ts';

/** Per source address, workspace and process. */
export const MAX_REGISTRATIONS_PER_HOUR = 100;
/** Per source address, workspace and process. Each authorization starts a sign-in. */
export const MAX_AUTHORIZATIONS_PER_MINUTE = 30;
/** Applies to other requests to a workspace's authorization server, per source address and process. */
const MAX_REQUESTS_PER_MINUTE = 300;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const createCounters = (age: number) =>
  memoizePerObject((_runtime: Runtime) =>
    createCache<string, { count: number }>({ age, entries: limits.identity.entries }),
  );

const RATE_LIMITS = {
  registrations: { counts: createCounters(HOUR_MS), age: HOUR_MS, max: MAX_REGISTRATIONS_PER_HOUR },
  authorizations: { counts: createCounters(MINUTE_MS), age: MINUTE_MS, max: MAX_AUTHORIZATIONS_PER_MINUTE },
  requests: { counts: createCounters(MINUTE_MS), age: MINUTE_MS, max: MAX_REQUESTS_PER_MINUTE },
};

export function checkOAuthRate(
  runtime: Runtime,
  workspaceId: number,
  headers: Headers,
  kind: keyof typeof RATE_LIMITS,
): number | null {
  const { counts: countsOf, age, max } = RATE_LIMITS[kind];
  const counts = countsOf(runtime);
  const key = `${workspaceId} ${getNetwork(getClientAddress(runtime, headers))}`;
  const { count } = counts.getOrCreate(key, () => ({ count: 0 }));
  counts.get(key)!.count = count + 1;
  return count < max ? null : age / 1000;
}
