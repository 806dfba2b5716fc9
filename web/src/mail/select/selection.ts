/** Selected message ids, with the mailbox of each. */
export type SelectedMessages = ReadonlyMap<string, string>;

/** Maximum number of messages per call. */
export const MAX_SELECTED = 1_000;

interface ListedId {
  entryId: string | null;
  accountId: string;
}

/** Adds or removes a row. Drafts cannot be selected. */
export function toggleSelected(chosen: SelectedMessages, { entryId, accountId }: ListedId): SelectedMessages {
  if (!entryId) return chosen;
  const next = new Map(chosen);
  if (!next.delete(entryId)) next.set(entryId, accountId);
  return next;
}

/** Adds rows. Null if the maximum number of selected messages is exceeded. */
export function addAll(chosen: SelectedMessages, rows: readonly ListedId[]): SelectedMessages | null {
  const next = new Map(chosen);
  for (const { entryId, accountId } of rows) if (entryId) next.set(entryId, accountId);
  return next.size > MAX_SELECTED ? null : next;
}

export function groupByMailbox(chosen: SelectedMessages): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [id, mailbox] of chosen) groups.set(mailbox, [...(groups.get(mailbox) ?? []), id]);
  return groups;
}
