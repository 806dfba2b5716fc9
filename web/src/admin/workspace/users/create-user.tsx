import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { DialogButtons } from '../../../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../../../shell/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Checkbox, Field } from '../../../ui/field.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { adminStrings } from '../strings.ts';
import { UserMakeDocument } from './generated.ts';

export function CreateUserDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { isBusy, refusal, act, getFieldError } = useFormAction();
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const getText = (name: string) => String(form.get(name)).trim();
    void act(async () => {
      const { userCreate } = await runMutation(UserMakeDocument, {
        login: getText('login'),
        name: getText('name') || null,
        password: String(form.get('password')) || null,
        admin: form.has('admin'),
      });
      showToast(adminStrings.userCreated(getText('login')));
      onClose();
      if (userCreate) void navigate({ to: '/admin/users/$id', params: { id: userCreate.id }, search: {} });
    });
  };
  const passwordError =
    getFieldError('password') ?? (refusal && /password/i.test(refusal.message) ? refusal.message : null);
  return (
    <Dialog title={adminStrings.createUser} onClose={onClose}>
      <form className="op-form" onSubmit={create}>
        <p className="quiet">{adminStrings.createUserText}</p>
        <Field
          name="login"
          label={adminStrings.login}
          hint={adminStrings.loginHint}
          required
          autoComplete="off"
          error={getFieldError('login') ?? (passwordError ? null : refusal?.message)}
        />
        <Field name="name" label={adminStrings.name} autoComplete="off" />
        <Field
          name="password"
          type="password"
          label={adminStrings.firstPassword}
          hint={adminStrings.firstPasswordHint}
          autoComplete="new-password"
          error={passwordError}
        />
        <Checkbox name="admin" label={adminStrings.assignAdministrator} />
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {adminStrings.create}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
