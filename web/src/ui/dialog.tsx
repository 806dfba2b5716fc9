import './dialog.css';
import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef, useState } from 'react';
import { shellStrings } from '../i18n/shell-strings.ts';
import { Button } from './button.tsx';
import { useUnsavedBlocker } from './unsaved/use-unsaved-blocker.ts';

interface DialogProps {
  title: string;
  /** Is called without a question, except if Escape or a click outside leaves a form with typed text. */
  onClose(): void;
  children: ReactNode;
  /** Hides the title visually. */
  isBare?: boolean;
}

export function Dialog({ title, onClose, children, isBare = false }: DialogProps) {
  const typedFields = useRef(new Set<HTMLElement>());
  const [isAsking, setIsAsking] = useState(false);
  // A form that was submitted or replaced is no longer in the document.
  const hasTyped = () => [...typedFields.current].some((field) => field.isConnected);
  const blocker = useUnsavedBlocker((action) => {
    const canShowResult = action === 'PUSH' || action === 'REPLACE';
    // A busy dialog saves its input, and can navigate to the result.
    return hasTyped() && !(canShowResult && document.querySelector('.dialog [aria-busy]'));
  });
  const stay = () => {
    blocker.reset?.();
    setIsAsking(false);
  };
  const leave = () => {
    blocker.proceed?.();
    // Closed only after the other inputs on the screen have let the navigation pass, so that they do not ask again.
    setTimeout(onClose);
  };
  return (
    <Base.Root open onOpenChange={(open) => !open && (hasTyped() ? setIsAsking(true) : onClose())}>
      <Base.Portal>
        {/* Also separates a dialog from the one that it covers. */}
        <Base.Backdrop className="backdrop" forceRender />
        <Base.Popup
          className="dialog"
          onInput={({ target }) => {
            if (isTextInForm(target as HTMLElement)) typedFields.current.add(target as HTMLElement);
          }}
        >
          <Base.Title className={isBare ? 'sr' : undefined}>{title}</Base.Title>
          {children}
          {(isAsking || blocker.proceed) && <LeaveDialog onLeave={leave} onStay={stay} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Asks before unsaved input is discarded. */
export const LeaveDialog = ({ onLeave, onStay }: { onLeave(): void; onStay(): void }) => (
  <Dialog title={shellStrings.unsaved} onClose={onStay}>
    <p>{shellStrings.unsavedText}</p>
    <div className="buttons">
      <Button look="danger" onClick={onLeave}>
        {shellStrings.leave}
      </Button>
      <Button autoFocus onClick={onStay}>
        {shellStrings.stay}
      </Button>
    </div>
  </Dialog>
);

/** Returns false for choices and passwords, which are quickly entered again, and for fields outside of a form. */
const isTextInForm = (field: HTMLElement): boolean =>
  field.closest('form') !== null &&
  (field.isContentEditable ||
    field.matches(
      'textarea, input:not([type="checkbox"], [type="radio"], [type="file"], [type="password"])',
    ));
