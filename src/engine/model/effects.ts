/**
 * What an operation does. Holds, confirmations, budgets, narrowing, masking and idempotency derive from it, never from
 * the operation's name. A change of records that the arguments ask for, such as a command that deletes lines, is found
 * in the arguments (see ../access/list-effects.ts).
 */
export type OperationEffect =
  | 'reads'
  /** Creates or changes records. */
  | 'writes'
  /** Records are gone afterwards. */
  | 'deletes'
  /** Email leaves the workspace, now or later. */
  | 'sends'
  /** Changes what somebody may do or see. */
  | 'grants'
  /** Installs, removes or configures apps. */
  | 'modules'
  /** The answer holds a credential: a key, or an address that works without one. */
  | 'secret';

/** At least one, so that an operation without effects does not compile. */
export type OperationEffects = readonly [OperationEffect, ...OperationEffect[]];

/** Whether nothing is different afterwards. */
export const hasOnlyReads = (effects: readonly OperationEffect[]): boolean =>
  effects.every((effect) => effect === 'reads' || effect === 'secret');
