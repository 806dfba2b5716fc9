import { runMutation } from '../../../graphql/client.ts';
import { DialogButtons } from '../../../shell/dialogs/dialog-buttons.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Select } from '../../../ui/form/field.tsx';
import { Form, getText } from '../../../ui/form/form.tsx';
import { assertOk } from '../../mail-outcome.ts';
import { settingsStrings } from '../strings.ts';
import { SharedMembersDocument, SharedMembersSaveDocument } from './generated.ts';

interface SharedMembersProps {
  mailbox: string;
  email: string;
  onClose(): void;
}

/** Lists the members of a shared mailbox. Only members with the role `member` can be removed. */
export function SharedMembers({ mailbox, email, onClose }: SharedMembersProps) {
  const { data, refusal, reload } = useGraphqlQuery(SharedMembersDocument, { mailbox });
  const { isBusy, act } = useAction();
  const members = data?.mailboxManageState.members ?? [];
  const candidates = data?.mailboxManageState.candidates ?? [];
  const set = (ids: string[]) =>
    act(async () => {
      const { mailboxSetMembers } = await runMutation(SharedMembersSaveDocument, { mailbox, members: ids });
      reload();
      assertOk(mailboxSetMembers);
    });
  const ids = members.map(({ userId }) => userId);
  const add = (form: FormData) => set([...ids, getText(form, 'user')]);
  return (
    <Dialog title={settingsStrings.membersOf(email)} onClose={onClose}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      <ul className="card-list">
        {members.map(({ userId, name, login, role }) => (
          <li key={userId} className="card">
            <div className="grow">
              <bdi>{name}</bdi> {login !== name && <span className="quiet small">{login}</span>}
            </div>
            <span className="quiet small">{settingsStrings.roles[role ?? ''] ?? role}</span>
            {role === 'member' && (
              <IconButton
                icon="trash"
                label={settingsStrings.removeNamed(name)}
                onClick={() => void set(ids.filter((id) => id !== userId))}
              />
            )}
          </li>
        ))}
      </ul>
      {data && candidates.length === 0 && <p className="quiet">{settingsStrings.noCandidates}</p>}
      {candidates.length > 0 && (
        <Form className="mail-settings-add" onSubmit={add}>
          <Select
            name="user"
            label={settingsStrings.addMemberLabel}
            options={candidates.map(({ userId, name, login }) => [
              userId,
              name === login ? name : `${name} (${login})`,
            ])}
          />
          <Button type="submit" isBusy={isBusy}>
            {settingsStrings.add}
          </Button>
        </Form>
      )}
      <DialogButtons onClose={onClose} />
    </Dialog>
  );
}
