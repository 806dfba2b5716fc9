/** Effects of an agent's call, which count toward the agent's daily limits. */
export interface CallUsage {
  /** Ids of the records that the call has created, updated or deleted, by model. */
  changedRecords: Map<string, Set<number>>;
  sentMessages: number;
}

export const createCallUsage = (): CallUsage => ({ changedRecords: new Map(), sentMessages: 0 });

/**
 * Adds records to the changes of an agent's call. The engine does this for its own writes, and operations that write
 * with SQL do it for the records that the caller changes.
 */
export function addChangedRecords(
  { changedRecords }: CallUsage,
  model: string,
  ids: readonly number[],
): void {
  const changedIds = changedRecords.get(model) ?? new Set<number>();
  changedRecords.set(model, changedIds);
  for (const id of ids) changedIds.add(id);
}

export const countChangedRecords = ({ changedRecords }: CallUsage): number =>
  [...changedRecords.values()].reduce((sum, ids) => sum + ids.size, 0);
