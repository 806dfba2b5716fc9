import { memoizePerObject } from '../../cache.ts';
import { INVALIDATION_CHANNEL } from '../../db/cache-invalidation.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { createHub, type Hub } from './hub.ts';

/** Notifications of one change come in numbers. */
const RECHECK_DELAY_MS = 50;

/** The hub of a process. It starts nothing before the first subscriber. */
export const getHub = memoizePerObject((runtime: Runtime): Hub => {
  const hub = createHub(runtime.db, runtime.log);
  const workspaces = new Set<number>();
  // By the end of the pause the cache of identities has forgotten the old ones.
  const recheck = (payload: string) => {
    if (workspaces.size === 0) {
      setTimeout(() => {
        const all = workspaces.has(0) ? [undefined] : [...workspaces];
        workspaces.clear();
        for (const workspaceId of all) hub.recheck(workspaceId);
      }, RECHECK_DELAY_MS).unref();
    }
    workspaces.add(Number(payload));
  };
  runtime.db.listen(INVALIDATION_CHANNEL, recheck).catch(() => undefined);
  return hub;
});
