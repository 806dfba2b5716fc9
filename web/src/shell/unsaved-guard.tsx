import { deepEqual, useBlocker } from '@tanstack/react-router';
import type { SearchParams } from '../ui/input/search-params.ts';
import { ConfirmDialog } from './action-buttons.tsx';
import { shellStrings } from './strings.ts';

interface UnsavedGuardProps {
  isDirty: boolean;
  /** Returns true if the screen keeps its input when these search parameters change. By default, they discard it. */
  keepsInput?(search: SearchParams, nextSearch: SearchParams): boolean;
}

/** Asks before a navigation that would discard unsaved input. */
export function UnsavedGuard({ isDirty, keepsInput = deepEqual }: UnsavedGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      !(
        current.pathname === next.pathname &&
        keepsInput(current.search as SearchParams, next.search as SearchParams)
      ),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={shellStrings.unsaved}
      yes={shellStrings.leave}
      no={shellStrings.stay}
      onYes={async () => blocker.proceed()}
      text={shellStrings.unsavedText}
      onClose={blocker.reset}
    />
  );
}
