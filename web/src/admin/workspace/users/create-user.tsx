import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { useFormAction } from '../../../shell/use-action.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Checkbox, Field } from '../../../ui/field.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { adminWords } from '../words.ts';
import { UserMakeDocument } from './generated.ts';

/** Makes a user at once, for whom an administrator chooses the first password. */
export function CreateUser({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { isBusy, refusal, act, wrong } = useFormAction();
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
      showToast(adminWords.userCreated(getText('login')));
      onClose();
      if (userCreate) void navigate({ to: '/admin/users/$id', params: { id: userCreate.id }, search: {} });
    });
  };
  const passwordError =
    wrong('password') ?? (refusal && /password/i.test(refusal.message) ? refusal.message : null);
  return (
    <Dialog title={adminWords.createUser} onClose={onClose}>
      <form className="op-form" onSubmit={create}>
        <p className="quiet">{adminWords.createUserText}</p>
        <Field
          name="login"
          label={adminWords.login}
          hint={adminWords.loginHint}
          required
          autoComplete="off"
          error={wrong('login') ?? (passwordError ? null : refusal?.message)}
        />
        <Field name="name" label={adminWords.name} autoComplete="off" />
        <Field
          name="password"
          type="password"
          label={adminWords.firstPassword}
          hint={adminWords.firstPasswordHint}
          autoComplete="new-password"
          error={passwordError}
        />
        <Checkbox name="admin" label={adminWords.makeAdministrator} />
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {adminWords.create}
          </Button>
          <Button onClick={onClose}>{shellWords.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
