import type { Ctx } from './ctx.ts';

/**
 * Invalidates the catalog of the workspace after a change of rights, rules, models or fields: in this process first,
 * then in all others.
 */
export function announceCatalogChange(ctx: Ctx): void {
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
}
