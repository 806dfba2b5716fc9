import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { getFinishedPages, SITE_INVALIDATION_CHANNEL } from '../../src/site/finished-pages.ts';

/** Pages of the workspace are not what they were: forgotten in this process at once, in others when they hear of it. */
export function invalidateSite(ctx: Ctx): void {
  const { db } = ctx.runtime;
  const { id } = ctx.workspace;
  ctx.afterCommit(() => {
    getFinishedPages(db).invalidate(({ workspaceId }) => workspaceId === id);
    // Where the news are lost, the age of a page ends it.
    db.notify(SITE_INVALIDATION_CHANNEL, String(id)).catch(() => undefined);
  });
}

/** The hooks of a model whose records pages are made of. */
export const siteInvalidationHooks = {
  afterCreate: invalidateSite,
  afterWrite: invalidateSite,
  beforeUnlink: invalidateSite,
};
