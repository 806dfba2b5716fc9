interface MenuPosition {
  id: string;
  parentId: string | null;
  sequence: number;
}

export const MENU_MOVES = ['up', 'down', 'in', 'out'] as const;
export type MenuMove = (typeof MENU_MOVES)[number];

export function sortMenu<Entry extends MenuPosition>(entries: readonly Entry[]): Entry[] {
  const getChildren = (parent: string | null) => getSiblings(entries, parent);
  return getChildren(null).flatMap((entry) => [entry, ...getChildren(entry.id)]);
}

const getSiblings = <Entry extends MenuPosition>(
  entries: readonly Entry[],
  parentId: string | null,
): Entry[] => entries.filter((entry) => entry.parentId === parentId).sort((a, b) => a.sequence - b.sequence);

/**
 * Returns the position changes that a move causes: up or down among siblings, in below the preceding sibling, or out
 * after the parent. Returns an empty list if the move is not possible. A menu has two levels.
 */
export function moveMenuEntry(entries: readonly MenuPosition[], id: string, move: MenuMove): MenuPosition[] {
  const entry = entries.find((entry) => entry.id === id)!;
  const peers = getSiblings(entries, entry.parentId);
  const index = peers.indexOf(entry);
  if (move === 'up' || move === 'down') {
    const to = index + (move === 'up' ? -1 : 1);
    if (to < 0 || to >= peers.length) return [];
    return renumber(peers.with(index, peers[to]!).with(to, entry), entry.parentId);
  }
  if (move === 'in') {
    const before = peers[index - 1];
    if (entry.parentId !== null || !before || entries.some(({ parentId }) => parentId === id)) return [];
    return renumber([...getSiblings(entries, before.id), entry], before.id);
  }
  if (entry.parentId === null) return [];
  const top = getSiblings(entries, null);
  const parent = top.findIndex((item) => item.id === entry.parentId);
  return renumber(top.toSpliced(parent + 1, 0, entry), null);
}

const renumber = (peers: MenuPosition[], parentId: string | null): MenuPosition[] =>
  peers
    .map(({ id }, index) => ({ id, parentId, sequence: 10 * (index + 1) }))
    .filter((to, index) => {
      const from = peers[index]!;
      return from.sequence !== to.sequence || from.parentId !== to.parentId;
    });
