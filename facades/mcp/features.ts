import { createCache, memoizePerObject } from '../../src/cache.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { limits } from '../../src/limits.ts';

/** Limits how stale a list may be. The operations check the feature on each call. */
const featureCache = memoizePerObject((_runtime: Runtime) =>
  createCache<string, ReadonlySet<string>>({
    entries: limits.mcp.companies,
    age: limits.mcp.featuresTime,
  }),
);

/** Returns the keys of the mail features that are off in the caller's company. */
export async function loadDisabledFeatures(ctx: Ctx): Promise<ReadonlySet<string>> {
  const key = `${ctx.workspace.id} ${ctx.principal!.companyId}`;
  const cached = featureCache(ctx.runtime).get(key);
  if (cached) return cached;
  const states = await call(ctx, 'mailFeatureStates', {});
  const off = new Set(Object.keys(states).filter((feature) => !states[feature as keyof typeof states]));
  featureCache(ctx.runtime).set(key, off);
  return off;
}
