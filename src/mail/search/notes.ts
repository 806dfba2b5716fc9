/** Bounds of a search: UTF-16 units, terms, brackets in brackets, and notes about it. */
export const searchLimits = { length: 2_000, terms: 200, depth: 20, notes: 20 };

/** What was not meant as it was written. Each is said once. */
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
