import type { Ctx } from './ctx.ts';

/** Ids of the records that a call has created, updated or deleted, by model. */
export type ChangedRecords = Map<string, Set<number>>;

/**
 * Adds records to the changes of an agent's call, which count toward the agent's daily limit. The engine does this for
 * its own writes, and operations that write with SQL do it for the records that the caller changes.
 */
export function addChangedRecords({ changedRecords }: Ctx, model: string, ids: readonly number[]): void {
  if (!changedRecords) return;
  const changedIds = changedRecords.get(model) ?? new Set<number>();
  changedRecords.set(model, changedIds);
  for (const id of ids) changedIds.add(id);
}

export const countChangedRecords = (changedRecords: ChangedRecords): number =>
  [...changedRecords.values()].reduce((sum, ids) => sum + ids.size, 0);
