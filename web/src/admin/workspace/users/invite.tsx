import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { DialogButtons } from '../../../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { Links } from '../links.tsx';
import { adminStrings } from '../strings.ts';
import { InviteChoicesDocument, UserInviteDocument } from './generated.ts';

/** Emails an invitation link to an address. */
export function Invite({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { data } = useGraphqlQuery(InviteChoicesDocument, {});
  const { isBusy, refusal, act, getFieldError } = useFormAction();
  const [groups, setGroups] = useState<string[]>([]);
  const [mailboxes, setMailboxes] = useState<string[]>([]);
  const invite = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = String(form.get('email')).trim();
    const name = String(form.get('name')).trim() || null;
    void act(async () => {
      await runMutation(UserInviteDocument, { email, name, groups, mailboxes });
      showToast(adminStrings.invited(email));
      onClose();
      void navigate({ to: '/admin/users/invitations' });
    });
  };
  const hasOtherError = ['name', 'groupIds', 'mailboxIds'].map(getFieldError).find(Boolean);
  const allGroups = (data?.groups.nodes ?? []).map(({ id, fullName }) => ({ id, name: fullName ?? id }));
  const allBoxes = (data?.mailboxes.nodes ?? []).map(({ id, displayName }) => ({ id, name: displayName }));
  return (
    <Dialog title={adminStrings.inviteTitle} onClose={onClose}>
      <p className="quiet">{adminStrings.inviteText}</p>
      <form id="invite" className="op-form" onSubmit={invite}>
        <Field
          name="email"
          type="email"
          label={adminStrings.email}
          required
          autoComplete="off"
          error={getFieldError('email') ?? (hasOtherError ? null : refusal?.message)}
        />
        <Field
          name="name"
          label={adminStrings.suggestedName}
          autoComplete="off"
          error={getFieldError('name')}
        />
      </form>
      <h3 className="op-heading">{adminStrings.groups}</h3>
      <Links
        label={adminStrings.groups}
        links={allGroups.filter(({ id }) => groups.includes(id))}
        choices={allGroups}
        add={adminStrings.addGroup}
        none={adminStrings.onlyDefaultRights}
        onChange={async (change) => setGroups((old) => applyLinkChange(old, change))}
      />
      {allBoxes.length > 0 && (
        <>
          <h3 className="op-heading">{adminStrings.sharedMailboxes}</h3>
          <Links
            label={adminStrings.sharedMailboxes}
            links={allBoxes.filter(({ id }) => mailboxes.includes(id))}
            choices={allBoxes}
            add={adminStrings.addMailbox}
            none={adminStrings.noMailboxes}
            onChange={async (change) => setMailboxes((old) => applyLinkChange(old, change))}
          />
        </>
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

const applyLinkChange = (
  ids: string[],
  { add = [], remove = [] }: { add?: string[]; remove?: string[] },
): string[] => [...ids.filter((id) => !remove.includes(id)), ...add];
