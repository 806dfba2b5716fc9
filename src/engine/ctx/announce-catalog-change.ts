import type { Ctx } from './ctx.ts';

/** Announces that rights, rules, models or fields of the workspace have changed: to this process first, then to all. */
export function announceCatalogChange(ctx: Ctx): void {
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
}
