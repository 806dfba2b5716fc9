import { Dialog } from '../../ui/dialog.tsx';
import { ActionForm, type ActionFormProps } from '../action-form.tsx';

interface DialogFormProps extends ActionFormProps {
  onClose(): void;
}

/** A form in a dialog, which closes after the form's action. */
export const DialogForm = ({ onSubmit, ...form }: DialogFormProps) => (
  <ActionForm
    {...form}
    onSubmit={async (...values) => {
      await onSubmit(...values);
      form.onClose();
    }}
  />
);

interface FormDialogProps extends DialogFormProps {
  title: string;
}

/** @param submit by default the title */
export const FormDialog = ({ title, submit = title, ...form }: FormDialogProps) => (
  <Dialog title={title} onClose={form.onClose}>
    <DialogForm submit={submit} {...form} />
  </Dialog>
);
