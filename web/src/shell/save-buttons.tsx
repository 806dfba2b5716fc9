import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { shellStrings } from './strings.ts';

interface SaveButtonsProps {
  isBusy: boolean;
  isDirty: boolean;
  /** Keeps the buttons visible while the form scrolls. */
  isSticky?: boolean;
  /** Id of the form to submit, if the buttons are outside of it. */
  form?: string | undefined;
  /** Saves without submitting a form. */
  onSave?: (() => void) | undefined;
  /** Makes the browser reset the fields when the edits are discarded. */
  resetsFields?: boolean;
  onDiscard(): void;
  children?: ReactNode;
}

export const SaveButtons = ({ isBusy, isDirty, isSticky, form, onSave, ...props }: SaveButtonsProps) => (
  <div className={isSticky ? 'buttons sticky' : 'buttons'}>
    <Button
      {...(onSave ? { onClick: onSave } : { type: 'submit', form })}
      look="primary"
      isBusy={isBusy}
      disabled={!isDirty}
    >
      {shellStrings.save}
    </Button>
    {isDirty && (
      <Button type={props.resetsFields ? 'reset' : 'button'} onClick={props.onDiscard}>
        {shellStrings.discard}
      </Button>
    )}
    {props.children}
  </div>
);
