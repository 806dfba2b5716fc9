interface Place {
  pathname: string;
  search: unknown;
}

/** Returns true if a navigation would discard the input. */
export type IsLost = (place: Place, next: Place) => boolean;

/** Returns the input to ask the user about. */
export const findFirstLost = (inputs: Iterable<IsLost>, place: Place, next: Place): IsLost | undefined =>
  [...inputs].find((isLost) => isLost(place, next));
