export interface Place {
  pathname: string;
  search: unknown;
}

/** Returns true if a navigation would discard the input. */
type IsLost = (place: Place, next: Place) => boolean;

export function createUnsavedInputs() {
  const inputs = new Set<IsLost>();
  return {
    /** Returns a function that removes the input. */
    add(isLost: IsLost): () => void {
      inputs.add(isLost);
      return () => void inputs.delete(isLost);
    },
    /** Returns the one input for which the user is asked. */
    findFirstLost: (place: Place, next: Place): IsLost | undefined =>
      [...inputs].find((isLost) => isLost(place, next)),
  };
}
