import { deepEqual, useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SearchParams } from '../input/search-params.ts';
import { findTopmostLost, type IsLost } from './unsaved-inputs.ts';

/** Returns true if the screen keeps its input when these search parameters change. */
export type KeepsInput = (search: SearchParams, nextSearch: SearchParams) => boolean;

const unsavedInputs = new Set<IsLost>();

/**
 * Blocks a navigation that would discard unsaved input. Of several inputs on a screen, only one blocks it.
 * @param keepsInput by default, any change of the search parameters discards the input
 */
export function useUnsavedBlocker(isDirty: () => boolean, keepsInput: KeepsInput = deepEqual) {
  const latest = useRef({ isDirty, keepsInput });
  latest.current = { isDirty, keepsInput };
  const isLost = useRef<IsLost>((place, next) => {
    const { isDirty, keepsInput } = latest.current;
    if (!isDirty()) return false;
    const isSameScreen = place.pathname === next.pathname;
    return !isSameScreen || !keepsInput(place.search as SearchParams, next.search as SearchParams);
  }).current;
  useEffect(() => {
    unsavedInputs.add(isLost);
    return () => void unsavedInputs.delete(isLost);
  }, [isLost]);
  return useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // A form that navigates at once when it is submitted renders its busy state in this microtask.
      await Promise.resolve();
      return findTopmostLost(unsavedInputs, current, next) === isLost;
    },
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
}
