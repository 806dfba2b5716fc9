import type { OperationEffect } from '../../../src/engine/model/effects.ts';

/** Kinds of actions that a workspace can hold for approval, each with a separate limit per minute. */
const ACTION_KINDS = ['sends', 'deletes', 'modules'] as const;

export type ActionKind = (typeof ACTION_KINDS)[number];

export interface CallEffects {
  effects: readonly OperationEffect[];
  changes: number;
}

/** Returns the kind whose rate limit applies to the call. Null if none applies. */
export const getActionKind = ({ effects }: CallEffects): ActionKind | null =>
  ACTION_KINDS.find((kind) => effects.includes(kind)) ?? null;
