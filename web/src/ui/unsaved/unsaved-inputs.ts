interface Place {
  pathname: string;
  search: unknown;
}

/** Returns true if a navigation would discard the input. */
export type IsLost = (place: Place, next: Place) => boolean;

/** Returns the input to ask the user about, such as that of a dialog before that of the screen below it. */
export const findTopmostLost = (inputs: Iterable<IsLost>, place: Place, next: Place): IsLost | undefined =>
  [...inputs].findLast((isLost) => isLost(place, next));
