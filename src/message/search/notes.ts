/** Limits per search. `length` is measured in UTF-16 units, and `depth` limits nested brackets. */
export const searchLimits = { length: 2_000, terms: 200, depth: 20, notes: 20 };

/** Collects distinct notes about parts of a query that were not understood. */
export interface SearchNotes {
  add(note: string): void;
  all(): string[];
}

export function createSearchNotes(): SearchNotes {
  const notes = new Set<string>();
  return {
    add: (note) => {
      if (notes.size < searchLimits.notes) notes.add(note);
    },
    all: () => [...notes],
  };
}
