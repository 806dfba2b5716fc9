/** Keeps the order of `ids`. */
export function excludeIds(ids: readonly number[], otherIds: readonly number[]): number[] {
  const excluded = new Set(otherIds);
  return ids.filter((id) => !excluded.has(id));
}
