import { useSyncExternalStore } from 'react';

/** The breakpoint of the style sheets for phones. */
const query = matchMedia('(max-width: 900px)');

/** Returns whether the screen is narrow, and renders again when that changes. */
export const useNarrowScreen = (): boolean => useSyncExternalStore(subscribe, () => query.matches);

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
