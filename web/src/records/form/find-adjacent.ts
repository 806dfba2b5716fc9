interface AdjacentRecords {
  at: number;
  previous: string | null;
  next: string | null;
}

/**
 * Returns null if the record is no longer near its former index, because the list has changed.
 * @param offset index of the first node in the list
 */
export function findAdjacent(
  nodes: readonly { id: string }[],
  offset: number,
  id: string,
): AdjacentRecords | null {
  const index = nodes.findIndex((node) => node.id === id);
  if (index < 0) return null;
  return { at: offset + index, previous: nodes[index - 1]?.id ?? null, next: nodes[index + 1]?.id ?? null };
}
