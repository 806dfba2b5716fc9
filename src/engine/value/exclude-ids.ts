/** Keeps the order of `ids`. */
export function excludeIds(ids: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}
