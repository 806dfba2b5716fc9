/**
 * Held actions, confirmations, budgets, scopes, masking and idempotency depend on the effects, never on the operation's
 * name. Effects of arguments, such as a command that deletes lines, are computed separately (see
 * ../access/list-effects.ts).
 */
export type OperationEffect =
  | 'reads'
  /** Creates or changes records. */
  | 'writes'
  | 'deletes'
  /** Sends email from the workspace, now or later. */
  | 'sends'
  /** Changes a user's or agent's access rights. */
  | 'grants'
  /** Installs, removes or configures apps. */
  | 'modules'
  /** Returns a credential: a key, or a URL that works without one. */
  | 'secret';

/** Not empty, so that every operation must declare its effects. */
export type OperationEffects = readonly [OperationEffect, ...OperationEffect[]];

export const hasOnlyReads = (effects: readonly OperationEffect[]): boolean =>
  effects.every((effect) => effect === 'reads' || effect === 'secret');
