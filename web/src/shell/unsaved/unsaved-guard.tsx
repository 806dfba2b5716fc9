import { deepEqual, useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { LeaveDialog } from '../../ui/dialog.tsx';
import type { SearchParams } from '../../ui/input/search-params.ts';
import { findFirstLost, type IsLost } from './unsaved-inputs.ts';

interface UnsavedGuardProps {
  isDirty: boolean;
  /** Returns true if the screen keeps its input when these search parameters change. By default, they discard it. */
  keepsInput?(search: SearchParams, nextSearch: SearchParams): boolean;
}

const unsavedInputs = new Set<IsLost>();

/** Asks before a navigation that would discard unsaved input. Several guards on a screen ask one question. */
export function UnsavedGuard({ isDirty, keepsInput = deepEqual }: UnsavedGuardProps) {
  const isLost = useRef<IsLost>(
    (place, next) =>
      place.pathname !== next.pathname ||
      !keepsInput(place.search as SearchParams, next.search as SearchParams),
  ).current;
  useEffect(() => {
    if (!isDirty) return;
    unsavedInputs.add(isLost);
    return () => void unsavedInputs.delete(isLost);
  }, [isDirty, isLost]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && findFirstLost(unsavedInputs, current, next) === isLost,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return blocker.status === 'blocked' && <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />;
}
