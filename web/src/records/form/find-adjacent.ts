/** Where a record is in a list, and those beside it. */
export interface AdjacentRecords {
  at: number;
  previous: string | null;
  next: string | null;
}

/**
 * Null where the record is not there any more: lists change, and the place in an address is where it was. Pure.
 * @param offset of the first of the nodes in the list
 */
export function findAdjacent(
  nodes: readonly { id: string }[],
  offset: number,
  id: string,
): AdjacentRecords | null {
  const here = nodes.findIndex((node) => node.id === id);
  if (here < 0) return null;
  return { at: offset + here, previous: nodes[here - 1]?.id ?? null, next: nodes[here + 1]?.id ?? null };
}
