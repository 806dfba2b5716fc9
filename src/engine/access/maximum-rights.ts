import { parseOperationLetters } from '../ctx/catalog.ts';
import type { Model, Operation } from '../model/model.ts';

/** The operations on the model that a right for the group (null: everybody) can give at most; null for all. Pure. */
export function getMaximumRights(
  { options: { ceiling } }: Model,
  group: string | null,
): Set<Operation> | null {
  if (ceiling === undefined) return null;
  return parseOperationLetters(
    typeof ceiling === 'string' ? ceiling : (group !== null && ceiling[group]) || '',
  );
}

/** What of a right takes effect: the part below the ceiling of the model, which may be gone. Pure. */
export function limitRights(
  model: Model | undefined,
  group: string | null,
  operations: ReadonlySet<Operation>,
): ReadonlySet<Operation> {
  const most = model ? getMaximumRights(model, group) : null;
  return most ? new Set([...operations].filter((operation) => most.has(operation))) : operations;
}
