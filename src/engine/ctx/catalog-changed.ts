import type { Ctx } from './ctx.ts';

/** Tells every process that rights, rules, models or fields of the ctx's workspace have changed: this one at once. */
export function catalogChanged(ctx: Ctx): void {
  ctx.afterCommit(() => ctx.runtime.identity.forget(ctx.workspace.id));
}
