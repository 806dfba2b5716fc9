import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './action-buttons.tsx';
import { shellStrings } from './strings.ts';

export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
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
