import { deepEqual, useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { LeaveDialog } from '../ui/dialog.tsx';
import type { SearchParams } from '../ui/input/search-params.ts';
import { createUnsavedInputs, type Place } from './unsaved-inputs.ts';

interface UnsavedGuardProps {
  isDirty: boolean;
  /** Returns true if the screen keeps its input when these search parameters change. By default, they discard it. */
  keepsInput?(search: SearchParams, nextSearch: SearchParams): boolean;
}

const unsavedInputs = createUnsavedInputs();

/** Asks before a navigation that would discard unsaved input. Several guards on a screen ask one question. */
export function UnsavedGuard({ isDirty, keepsInput = deepEqual }: UnsavedGuardProps) {
  const latestKeepsInput = useRef(keepsInput);
  latestKeepsInput.current = keepsInput;
  const isLost = useRef((place: Place, next: Place) => {
    const isKept = latestKeepsInput.current(place.search as SearchParams, next.search as SearchParams);
    return place.pathname !== next.pathname || !isKept;
  }).current;
  useEffect(() => (isDirty ? unsavedInputs.add(isLost) : undefined), [isDirty, isLost]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && unsavedInputs.findFirstLost(current, next) === isLost,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />;
}
