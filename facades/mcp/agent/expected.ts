import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import type { Tool } from '../tool.ts';
import type { ActionKind, Effects } from './effects.ts';

/** What a call counts for. */
export interface Expected {
  sends: number;
  changes: number;
}

/** Kinds of tools by their names. */
const KINDS: readonly (readonly [ActionKind, RegExp])[] = [
  ['sends', /^mail_(send|autoreply_set)$/],
  ['deletes', /^(delete|mail_label)$/],
  ['modules', /^module_(install|upgrade|configure|uninstall)$/],
];

/** Calls of a kind that an agent makes in a minute. */
export const PER_MINUTE: Record<ActionKind, number> = {
  sends: limits.agent.sendsPerMinute,
  deletes: limits.agent.deletesPerMinute,
  modules: limits.agent.modulesPerMinute,
};

interface Wanted {
  tool: Tool;
  args: Record<string, unknown>;
}

/** What the tool says of these arguments, or else its name and the ids. */
export function effectsOf(ctx: Ctx, { tool, args }: Wanted): Effects {
  if (tool.effects) return tool.effects(ctx, args);
  const ids = args.ids ?? args.entry_ids;
  const kind = KINDS.find(([, names]) => names.test(tool.name))?.[0] ?? null;
  return { kind, changes: Array.isArray(ids) ? ids.length : 1 };
}

/** What of the call is counted before it is done, so that calls at the same time keep within a budget. */
export function expectedOf({ scope }: Tool, { kind, sends, changes }: Effects): Expected {
  return scope === 'read' ? { sends: 0, changes: 0 } : { sends: kind === 'sends' || sends ? 1 : 0, changes };
}
