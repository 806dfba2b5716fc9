import { useNavigate } from '@tanstack/react-router';
import { runMutation } from '../../../graphql/client.ts';
import { FormDialog } from '../../../shell/dialogs/form-dialog.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Checkbox, Field } from '../../../ui/form/field.tsx';
import { getText } from '../../../ui/form/form.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { toLinkTargets } from '../links.tsx';
import { adminStrings } from '../strings.ts';
import { InviteChoicesDocument, UserMakeDocument } from './generated.ts';
import { getChosenLinks, LinkChoice } from './link-choice.tsx';

export function CreateUserDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { data } = useGraphqlQuery(InviteChoicesDocument, {});
  const create = async (form: FormData) => {
    const login = getText(form, 'login');
    const { userCreate } = await runMutation(UserMakeDocument, {
      login,
      name: getText(form, 'name') || null,
      password: String(form.get('password')) || null,
      admin: form.has('admin'),
      groups: getChosenLinks(form, 'groupIds'),
    });
    showToast(adminStrings.userCreated(login));
    if (userCreate) void navigate({ to: '/admin/users/$id', params: { id: userCreate.id }, search: {} });
  };
  return (
    <FormDialog
      title={adminStrings.createUser}
      errorField={({ code, message }) =>
        /password/i.test(message) ? 'password' : code === 'NOT_UNIQUE' ? 'login' : ''
      }
      onSubmit={create}
      onClose={onClose}
    >
      <p>{adminStrings.createUserText}</p>
      <Field name="login" label={adminStrings.login} hint={adminStrings.loginHint} required />
      <Field name="name" label={adminStrings.name} />
      <Field
        name="password"
        type="password"
        label={adminStrings.firstPassword}
        hint={adminStrings.firstPasswordHint}
        autoComplete="new-password"
      />
      <Checkbox name="admin" label={adminStrings.assignAdministrator} />
      <LinkChoice name="groupIds" title={adminStrings.groups} choices={toLinkTargets(data?.groups.nodes)} />
    </FormDialog>
  );
}
