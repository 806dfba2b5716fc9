import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';

interface DraftButtonsProps {
  className: string;
  /** Id of the form to submit. Undefined if the form is on another tab. */
  form: string | undefined;
  isDirty: boolean;
  isSaving: boolean;
  strings: { save: string; discard: string };
  onSave(): void;
  onDiscard(): void;
  children?: ReactNode;
}

export const DraftButtons = (props: DraftButtonsProps) => (
  <div className={`buttons ${props.className}`}>
    <Button
      {...(props.form === undefined ? { onClick: props.onSave } : { type: 'submit', form: props.form })}
      look="primary"
      isBusy={props.isSaving}
      disabled={!props.isDirty}
    >
      {props.strings.save}
    </Button>
    {props.isDirty && <Button onClick={props.onDiscard}>{props.strings.discard}</Button>}
    {props.children}
  </div>
);
