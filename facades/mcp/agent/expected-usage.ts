import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Tool } from '../tool.ts';
import type { ActionKind, CallEffects } from './effects.ts';

const MAX_SENDS_PER_MINUTE = 60;
const MAX_DELETES_PER_MINUTE = 120;
const MAX_MODULE_CHANGES_PER_MINUTE = 10;

export interface ExpectedUsage {
  sends: number;
  changes: number;
}

/** Limits for each agent and kind of action. */
export const MAX_CALLS_PER_MINUTE: Record<ActionKind, number> = {
  sends: MAX_SENDS_PER_MINUTE,
  deletes: MAX_DELETES_PER_MINUTE,
  modules: MAX_MODULE_CHANGES_PER_MINUTE,
};

interface RequestedCall {
  tool: Tool;
  args: Record<string, unknown>;
}

export function getCallEffects(ctx: Ctx, { tool, args }: RequestedCall): CallEffects {
  if (typeof tool.effects === 'function') return tool.effects(ctx, args);
  const ids = args.ids ?? args.entry_ids;
  return { effects: tool.effects, changes: Array.isArray(ids) ? new Set(ids).size : 1 };
}

/** Returns the amounts to count before the call runs, so that concurrent calls stay within the budgets. */
export const computeExpectedUsage = ({ scope }: Tool, { effects, changes }: CallEffects): ExpectedUsage =>
  scope === 'read' ? { sends: 0, changes: 0 } : { sends: effects.includes('sends') ? 1 : 0, changes };
