import { parseOperationLetters } from '../ctx/catalog.ts';
import type { AccessKind } from '../model/access-kind.ts';
import type { Model } from '../model/model.ts';

/**
 * Returns the maximum set of operations that a right for `group` (null for everyone) can grant on the model. Null if
 * unlimited.
 */
export function getMaximumRights(
  { options: { ceiling } }: Model,
  group: string | null,
): Set<AccessKind> | null {
  if (ceiling === undefined) return null;
  return parseOperationLetters(
    typeof ceiling === 'string' ? ceiling : (group !== null && ceiling[group]) || '',
  );
}

/** Returns the operations of a right that the model's maximum allows. Accepts a model that no longer exists. */
export function limitRights(
  model: Model | undefined,
  group: string | null,
  operations: ReadonlySet<AccessKind>,
): ReadonlySet<AccessKind> {
  const maximumRights = model ? getMaximumRights(model, group) : null;
  return maximumRights
    ? new Set([...operations].filter((operation) => maximumRights.has(operation)))
    : operations;
}
