import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { shellStrings } from '../strings.ts';
import { useFormAction } from '../use-action.ts';
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
export function PasswordDialog({
  title,
  yes,
  children,
  warning,
  onYes,
  onClose,
  after,
}: PasswordDialogProps) {
  const { isBusy, refusal, act, getFieldError } = useFormAction();
  const [secret, setSecret] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void act(async () => {
      const error = await onYes(String(form.get('password')), form);
      if (error) setSecret(error);
      else onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {secret ? (
        <>
          <SecretOnce
            secret={secret}
            warning={warning ?? ''}
            copy={shellStrings.copy}
            copied={shellStrings.copied}
          />
          {after}
          <DialogButtons onClose={onClose} />
        </>
      ) : (
        <form className="stack" onSubmit={submit}>
          {children}
          <Field
            name="password"
            type="password"
            label={shellStrings.yourPassword}
            autoComplete="current-password"
            required
            error={getFieldError('password') ?? refusal?.message}
          />
          <DialogButtons onClose={onClose}>
            <Button type="submit" look="primary" isBusy={isBusy}>
              {yes}
            </Button>
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}
