/** Messages that are chosen, each with its mailbox. */
export type SelectedMessages = ReadonlyMap<string, string>;

/** As many as one call changes. */
export const MAX_SELECTED = 1_000;

interface ListedId {
  entryId: string | null;
  accountId: string;
}

/** With a row, or without it where it was chosen. Drafts are not chosen. Pure. */
export function toggleSelected(chosen: SelectedMessages, { entryId, accountId }: ListedId): SelectedMessages {
  if (!entryId) return chosen;
  const next = new Map(chosen);
  if (!next.delete(entryId)) next.set(entryId, accountId);
  return next;
}

/** With all of some rows; null for more than can be chosen. Pure. */
export function addAll(chosen: SelectedMessages, rows: readonly ListedId[]): SelectedMessages | null {
  const next = new Map(chosen);
  for (const { entryId, accountId } of rows) if (entryId) next.set(entryId, accountId);
  return next.size > MAX_SELECTED ? null : next;
}

/** The chosen messages by their mailboxes. Pure. */
export function groupByMailbox(chosen: SelectedMessages): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [id, mailbox] of chosen) groups.set(mailbox, [...(groups.get(mailbox) ?? []), id]);
  return groups;
}
