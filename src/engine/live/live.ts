import { perOwner } from '../../cache.ts';
import { NEWS } from '../../db/news.ts';
import type { Runtime } from '../ctx/runtime.ts';
import { createHub, type Hub } from './hub.ts';

/** Notifications of one change come in numbers. */
const PAUSE = 50;

/** The hub of a process. It starts nothing before the first subscriber. */
export const hubOf = perOwner((runtime: Runtime): Hub => {
  const hub = createHub(runtime.db, runtime.log);
  const workspaces = new Set<number>();
  // By the end of the pause the cache of identities has forgotten the old ones.
  const recheck = (payload: string) => {
    if (workspaces.size === 0) {
      setTimeout(() => {
        const all = workspaces.has(0) ? [undefined] : [...workspaces];
        workspaces.clear();
        for (const workspaceId of all) hub.recheck(workspaceId);
      }, PAUSE).unref();
    }
    workspaces.add(Number(payload));
  };
  runtime.db.listen(NEWS, recheck).catch(() => undefined);
  return hub;
});
