/**
 * Effects of an operation. Holds, confirmations, budgets, scopes, masking and idempotency derive from the effects,
 * never from the operation's name. Changes requested by arguments, such as a command that deletes lines, are found in
 * the arguments (see ../access/list-effects.ts).
 */
export type OperationEffect =
  | 'reads'
  /** Creates or changes records. */
  | 'writes'
  | 'deletes'
  /** Sends email from the workspace, now or later. */
  | 'sends'
  /** Changes access rights of a user or agent. */
  | 'grants'
  /** Installs, removes or configures apps. */
  | 'modules'
  /** Returns a credential: a key, or a URL that works without one. */
  | 'secret';

/** At least one, so that an operation without effects does not compile. */
export type OperationEffects = readonly [OperationEffect, ...OperationEffect[]];

/** Returns true if the operation changes nothing. */
export const hasOnlyReads = (effects: readonly OperationEffect[]): boolean =>
  effects.every((effect) => effect === 'reads' || effect === 'secret');
