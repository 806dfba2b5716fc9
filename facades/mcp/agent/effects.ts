import type { OperationEffect } from '../../../src/engine/model/effects.ts';

/** Kinds of actions that a workspace can hold, and that have a limit of their own in a minute. */
const KINDS = ['sends', 'deletes', 'modules'] as const;

export type ActionKind = (typeof KINDS)[number];

/** What a call would do, as far as it is counted and held for it. */
export interface CallEffects {
  does: readonly OperationEffect[];
  /** Records. */
  changes: number;
}

/** The kind that the call counts for in a minute; null for none. */
export const getActionKind = ({ does }: CallEffects): ActionKind | null =>
  KINDS.find((kind) => does.includes(kind)) ?? null;
