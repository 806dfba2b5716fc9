/** Messages that are chosen, each with its mailbox. */
export type Chosen = ReadonlyMap<string, string>;

/** As many as one call changes. */
export const MOST_CHOSEN = 1_000;

interface ListedId {
  entryId: string | null;
  accountId: string;
}

/** With a row, or without it where it was chosen. Drafts are not chosen. Pure. */
export function toggled(chosen: Chosen, { entryId, accountId }: ListedId): Chosen {
  if (!entryId) return chosen;
  const next = new Map(chosen);
  if (!next.delete(entryId)) next.set(entryId, accountId);
  return next;
}

/** With all of some rows; null for more than can be chosen. Pure. */
export function withAll(chosen: Chosen, rows: readonly ListedId[]): Chosen | null {
  const next = new Map(chosen);
  for (const { entryId, accountId } of rows) if (entryId) next.set(entryId, accountId);
  return next.size > MOST_CHOSEN ? null : next;
}

/** The chosen messages by their mailboxes. Pure. */
export function byMailbox(chosen: Chosen): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [id, mailbox] of chosen) groups.set(mailbox, [...(groups.get(mailbox) ?? []), id]);
  return groups;
}
