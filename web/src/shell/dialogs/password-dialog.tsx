import { type ReactNode, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/form/field.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { ActionForm } from '../action-form.tsx';
import { shellStrings } from '../strings.ts';
import { DialogButtons } from './dialog-buttons.tsx';

interface PasswordDialogProps {
  title: string;
  yes: string;
  children: ReactNode;
  /** Shown with the secret. */
  warning?: string;
  /** Runs the action. A returned secret is shown once. */
  onYes(password: string, form: FormData): Promise<string | undefined>;
  onClose(): void;
  after?: ReactNode;
}

/** Asks for the user's password before an action. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, yes, children, warning = '', onYes, onClose, after } = props;
  const [secret, setSecret] = useState<string>();
  const submit = async (form: FormData) => {
    const result = await onYes(String(form.get('password')), form);
    if (result) setSecret(result);
    else onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {secret ? (
        <>
          <SecretOnce secret={secret} warning={warning} />
          {after}
          <DialogButtons onClose={onClose} />
        </>
      ) : (
        <ActionForm submit={yes} errorField="password" onSubmit={submit} onClose={onClose}>
          {children}
          <Field
            name="password"
            type="password"
            label={shellStrings.yourPassword}
            autoComplete="current-password"
            required
          />
        </ActionForm>
      )}
    </Dialog>
  );
}
