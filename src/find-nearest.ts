/** Returns the name with the smallest edit distance. Undefined if the distance exceeds `maxDistance`. */
export function findNearest(name: string, names: readonly string[], maxDistance: number): string | undefined {
  const [best] = names
    .filter((candidate) => Math.abs(candidate.length - name.length) <= maxDistance)
    .map((candidate) => ({ known: candidate, changes: computeEditDistance(name, candidate) }))
    .filter(({ changes }) => changes <= maxDistance)
    .sort((a, b) => a.changes - b.changes);
  return best?.known;
}

/**
 * Computes the restricted Damerau-Levenshtein distance: insertions, deletions, replacements, and swaps of neighbors.
 */
function computeEditDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + cost,
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
