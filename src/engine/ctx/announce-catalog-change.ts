import type { Ctx } from './ctx.ts';

/**
 * Invalidates the workspace's catalog after a change to rights, rules, models or fields has committed, first in this
 * process and then in all others.
 */
export function announceCatalogChange(ctx: Ctx): void {
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
}
