import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import type { Tool } from '../tool.ts';
import type { ActionKind, CallEffects } from './effects.ts';

/** Amounts that a call counts toward the agent's budgets. */
export interface ExpectedUsage {
  sends: number;
  changes: number;
}

/** Calls of each kind allowed per agent and minute. */
export const MAX_CALLS_PER_MINUTE: Record<ActionKind, number> = {
  sends: limits.agent.sendsPerMinute,
  deletes: limits.agent.deletesPerMinute,
  modules: limits.agent.modulesPerMinute,
};

interface RequestedCall {
  tool: Tool;
  args: Record<string, unknown>;
}

/** Returns the effects that the tool declares for these arguments. */
export function getCallEffects(ctx: Ctx, { tool, args }: RequestedCall): CallEffects {
  if (typeof tool.effects === 'function') return tool.effects(ctx, args);
  const ids = args.ids ?? args.entry_ids;
  return { does: tool.effects, changes: Array.isArray(ids) ? ids.length : 1 };
}

/** Returns the amounts to count before the call runs, so that concurrent calls stay within the budgets. */
export const computeExpectedUsage = ({ scope }: Tool, { does, changes }: CallEffects): ExpectedUsage =>
  scope === 'read' ? { sends: 0, changes: 0 } : { sends: does.includes('sends') ? 1 : 0, changes };
