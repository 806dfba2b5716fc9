import { memoizePerObject } from '../../cache.ts';
import { INVALIDATION_CHANNEL } from '../../db/notifications/cache-invalidation.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { createHub, type Hub } from './hub.ts';

/** Delay that combines the notifications caused by one change. */
const RECHECK_DELAY_MS = 50;

/** Returns the process's hub, which is idle until the first subscriber joins. */
export const getHub = memoizePerObject((runtime: Runtime): Hub => {
  const hub = createHub(runtime.db, runtime.log);
  const workspaces = new Set<number>();
  // Delayed until the identity cache has dropped the old entries.
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
