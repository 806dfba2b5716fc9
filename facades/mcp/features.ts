import { createCache, memoizePerObject } from '../../src/cache.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';

const MAX_CACHED_COMPANIES = 1_000;
const FEATURES_TTL_MS = 2_000;

/** A stale entry affects only the tool list. The operations check the feature on each call. */
const featureCache = memoizePerObject((_runtime: Runtime) =>
  createCache<string, ReadonlySet<string>>({
    entries: MAX_CACHED_COMPANIES,
    age: FEATURES_TTL_MS,
  }),
);

export async function loadDisabledFeatures(ctx: Ctx): Promise<ReadonlySet<string>> {
  const key = `${ctx.workspace.id} ${ctx.principal!.companyId}`;
  const cachedFeatures = featureCache(ctx.runtime).get(key);
  if (cachedFeatures) return cachedFeatures;
  const states = await call(ctx, 'mailFeatureStates', {});
  const off = new Set(Object.keys(states).filter((feature) => !states[feature as keyof typeof states]));
  featureCache(ctx.runtime).set(key, off);
  return off;
}
