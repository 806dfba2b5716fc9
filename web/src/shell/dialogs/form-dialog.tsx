import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

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
  <DialogButtons onClose={onClose}>
    <Button type="submit" look="primary" {...button}>
      {submit}
    </Button>
  </DialogButtons>
);

interface FormDialogProps extends Omit<FormButtonsProps, 'submit'> {
  title: string;
  /** Label of the button that submits the form. By default the title. */
  submit?: string | undefined;
  onSubmit(form: FormData): void;
  children: ReactNode;
}

export const FormDialog = ({ title, submit = title, onSubmit, children, ...buttons }: FormDialogProps) => (
  <Dialog title={title} onClose={buttons.onClose}>
    <Form onSubmit={onSubmit}>
      {children}
      <FormButtons submit={submit} {...buttons} />
    </Form>
  </Dialog>
);
