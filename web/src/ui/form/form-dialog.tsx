import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import type { IconName } from '../icon.tsx';
import { Form } from './form.tsx';
import { formStrings } from './strings.ts';

interface FormButtonsProps {
  /** Label of the button that submits the form. */
  submit: string;
  look?: 'primary' | 'danger';
  icon?: IconName;
  isBusy?: boolean;
  onClose(): void;
}

/** The buttons of a form in a dialog: submit and cancel. */
export const FormButtons = ({ submit, onClose, ...button }: FormButtonsProps) => (
  <div className="buttons">
    <Button type="submit" look="primary" {...button}>
      {submit}
    </Button>
    <Button onClick={onClose}>{formStrings.cancel}</Button>
  </div>
);

interface FormDialogProps extends FormButtonsProps {
  title: string;
  onSubmit(form: FormData): void;
  children: ReactNode;
}

export const FormDialog = ({ title, onSubmit, children, ...buttons }: FormDialogProps) => (
  <Dialog title={title} onClose={buttons.onClose}>
    <Form onSubmit={onSubmit}>
      {children}
      <FormButtons {...buttons} />
    </Form>
  </Dialog>
);
