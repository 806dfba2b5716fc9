import { deepEqual, useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SearchParams } from '../input/search-params.ts';
import { findTopmostLost, type IsLost } from './unsaved-inputs.ts';

/** Returns true if the screen keeps its input when these search parameters change. */
export type KeepsInput = (search: SearchParams, nextSearch: SearchParams) => boolean;

const unsavedInputs = new Set<IsLost>();

/**
 * Blocks a navigation that would discard unsaved input. Of several inputs on a screen, only one blocks it.
 * @param isDirty is called without an action when the page is closed or reloaded
 * @param keepsInput by default, any change of the search parameters discards the input
 */
export function useUnsavedBlocker(isDirty: (action?: string) => boolean, keepsInput: KeepsInput = deepEqual) {
  const latest = useRef({ isDirty, keepsInput });
  latest.current = { isDirty, keepsInput };
  const isLost = useRef<IsLost>(({ current, next, action }) => {
    const { isDirty, keepsInput } = latest.current;
    if (!isDirty(action)) return false;
    const isSameScreen = current.pathname === next.pathname;
    return !isSameScreen || !keepsInput(current.search as SearchParams, next.search as SearchParams);
  }).current;
  useEffect(() => {
    unsavedInputs.add(isLost);
    return () => void unsavedInputs.delete(isLost);
  }, [isLost]);
  const blocker = useBlocker({
    shouldBlockFn: async (navigation) => {
      // A form that navigates at once when it is submitted renders its busy state in this microtask.
      await Promise.resolve();
      return findTopmostLost(unsavedInputs, navigation) === isLost;
    },
    enableBeforeUnload: () => isDirty(),
    withResolver: true,
  });
  // A blocked navigation continues when the form closes, for example because it was saved in the meantime.
  useEffect(() => blocker.proceed, [blocker.proceed]);
  return blocker;
}
