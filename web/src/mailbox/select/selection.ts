export type SelectedMessages = ReadonlyMap<string, string>;

/** Maximum number of messages per call. */
export const MAX_SELECTED = 1_000;

interface ListedId {
  entryId: string | null;
  accountId: string;
}

/** Adds or removes a row. Drafts cannot be selected. */
export function toggleSelected(
  selection: SelectedMessages,
  { entryId, accountId }: ListedId,
): SelectedMessages {
  if (!entryId) return selection;
  const next = new Map(selection);
  if (!next.delete(entryId)) next.set(entryId, accountId);
  return next;
}

/** Adds rows. Returns null if the selection would exceed the maximum. */
export function addAll(selection: SelectedMessages, rows: readonly ListedId[]): SelectedMessages | null {
  const next = new Map(selection);
  for (const { entryId, accountId } of rows) if (entryId) next.set(entryId, accountId);
  return next.size > MAX_SELECTED ? null : next;
}

export function groupByMailbox(selection: SelectedMessages): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [id, mailbox] of selection) groups.set(mailbox, [...(groups.get(mailbox) ?? []), id]);
  return groups;
}
