import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '../../../shell/dialogs/form-dialog.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Field } from '../../../ui/form/field.tsx';
import { getText } from '../../../ui/form/form.tsx';
import { toLinkTargets } from '../links.tsx';
import { adminStrings } from '../strings.ts';
import { InviteChoicesDocument, UserInviteDocument } from './generated.ts';
import { getChosenLinks, LinkChoice } from './link-choice.tsx';

export function InviteDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { data } = useGraphqlQuery(InviteChoicesDocument, {});
  const invite = async (form: FormData) => {
    const email = getText(form, 'email');
    const variables = {
      email,
      name: getText(form, 'name') || null,
      groups: getChosenLinks(form, 'groupIds'),
      mailboxes: getChosenLinks(form, 'mailboxIds'),
    };
    await runWithToast(UserInviteDocument, variables, adminStrings.invited(email));
    void navigate({ to: '/admin/users/invitations' });
  };
  const mailboxes = (data?.mailboxes.nodes ?? []).map(({ id, displayName }) => ({ id, name: displayName }));
  return (
    <FormDialog
      title={adminStrings.inviteTitle}
      submit={adminStrings.sendInvitation}
      icon="send"
      errorField="email"
      onSubmit={invite}
      onClose={onClose}
    >
      <p>{adminStrings.inviteText}</p>
      <Field name="email" type="email" label={adminStrings.email} required />
      <Field name="name" label={adminStrings.suggestedName} />
      <LinkChoice name="groupIds" title={adminStrings.groups} choices={toLinkTargets(data?.groups.nodes)} />
      <LinkChoice name="mailboxIds" title={adminStrings.sharedMailboxes} choices={mailboxes} />
    </FormDialog>
  );
}
