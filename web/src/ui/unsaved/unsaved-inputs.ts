interface Place {
  pathname: string;
  search: unknown;
}

interface Navigation {
  current: Place;
  next: Place;
  /** `PUSH` and `REPLACE` for links and forms, others for the browser's buttons. */
  action: string;
}

/** Returns true if a navigation would discard the input. */
export type IsLost = (navigation: Navigation) => boolean;

/** Returns the input to ask the user about, such as that of a dialog before that of the screen below it. */
export const findTopmostLost = (inputs: Iterable<IsLost>, navigation: Navigation): IsLost | undefined =>
  [...inputs].findLast((isLost) => isLost(navigation));
