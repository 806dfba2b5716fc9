import { LeaveDialog } from '../../ui/dialog.tsx';
import { type KeepsInput, useUnsavedBlocker } from '../../ui/unsaved/use-unsaved-blocker.ts';

interface UnsavedGuardProps {
  isDirty: boolean;
  keepsInput?: KeepsInput;
}

/** Asks before a navigation that would discard unsaved input. Several guards on a screen ask one question. */
export function UnsavedGuard({ isDirty, keepsInput }: UnsavedGuardProps) {
  const blocker = useUnsavedBlocker(() => isDirty, keepsInput);
  return blocker.status === 'blocked' && <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />;
}
