import { useNavigate } from '@tanstack/react-router';
import { type Dispatch, type SetStateAction, useState } from 'react';
import { DialogButtons } from '../../../shell/dialogs/dialog-buttons.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import { useFormAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Form, getText } from '../../../ui/form/form.tsx';
import { Links, toLinkTargets } from '../links.tsx';
import { adminStrings } from '../strings.ts';
import { InviteChoicesDocument, UserInviteDocument } from './generated.ts';

export function InviteDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { data } = useGraphqlQuery(InviteChoicesDocument, {});
  const { isBusy, refusal, act, getFieldError } = useFormAction();
  const [groups, setGroups] = useState<string[]>([]);
  const [mailboxes, setMailboxes] = useState<string[]>([]);
  const invite = (form: FormData) =>
    act(async () => {
      const email = getText(form, 'email');
      const name = getText(form, 'name') || null;
      await runWithToast(UserInviteDocument, { email, name, groups, mailboxes }, adminStrings.invited(email));
      onClose();
      void navigate({ to: '/admin/users/invitations' });
    });
  const hasOtherError = ['name', 'groupIds', 'mailboxIds'].map(getFieldError).find(Boolean);
  const allGroups = toLinkTargets(data?.groups.nodes);
  const allBoxes = (data?.mailboxes.nodes ?? []).map(({ id, displayName }) => ({ id, name: displayName }));
  return (
    <Dialog title={adminStrings.inviteTitle} onClose={onClose}>
      <p>{adminStrings.inviteText}</p>
      <Form id="invite" onSubmit={invite}>
        <Field
          name="email"
          type="email"
          label={adminStrings.email}
          required
          error={getFieldError('email') ?? (hasOtherError ? null : refusal?.message)}
        />
        <Field name="name" label={adminStrings.suggestedName} error={getFieldError('name')} />
      </Form>
      <LinkChoice
        title={adminStrings.groups}
        choices={allGroups}
        add={adminStrings.addGroup}
        none={adminStrings.onlyDefaultRights}
        ids={groups}
        onChange={setGroups}
      />
      {allBoxes.length > 0 && (
        <LinkChoice
          title={adminStrings.sharedMailboxes}
          choices={allBoxes}
          add={adminStrings.addMailbox}
          none={adminStrings.noMailboxes}
          ids={mailboxes}
          onChange={setMailboxes}
        />
      )}
      <p className="wrong" role="alert">
        {getFieldError('groupIds') ?? getFieldError('mailboxIds')}
      </p>
      <DialogButtons onClose={onClose}>
        <Button type="submit" form="invite" look="primary" icon="send" isBusy={isBusy}>
          {adminStrings.sendInvitation}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface LinkChoiceProps {
  title: string;
  choices: { id: string; name: string }[];
  add: string;
  none: string;
  ids: string[];
  onChange: Dispatch<SetStateAction<string[]>>;
}

const LinkChoice = ({ title, choices, add: addLabel, none, ids, onChange }: LinkChoiceProps) => (
  <>
    <h3 className="small-heading">{title}</h3>
    <Links
      label={title}
      links={choices.filter(({ id }) => ids.includes(id))}
      choices={choices}
      add={addLabel}
      none={none}
      onChange={async ({ add = [], remove = [] }) =>
        onChange((old) => [...old.filter((id) => !remove.includes(id)), ...add])
      }
    />
  </>
);
