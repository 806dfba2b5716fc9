/** Those of `ids` that are not among the others, in their order. */
export function idsWithout(ids: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}
