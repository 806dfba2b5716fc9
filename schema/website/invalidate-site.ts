import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { getFinishedPages, SITE_INVALIDATION_CHANNEL } from '../../src/site/finished-pages.ts';

/** Invalidates the workspace's cached pages: immediately in this process, and through a notification in others. */
export function invalidateSite(ctx: Ctx): void {
  const { db } = ctx.runtime;
  const { id } = ctx.workspace;
  ctx.afterCommit(() => {
    getFinishedPages(db).invalidate(({ workspaceId }) => workspaceId === id);
    // If the notification is lost, cached pages remain until they expire.
    db.notify(SITE_INVALIDATION_CHANNEL, String(id)).catch(() => undefined);
  });
}

export const siteInvalidationHooks = {
  afterCreate: invalidateSite,
  afterWrite: invalidateSite,
  beforeUnlink: invalidateSite,
};
