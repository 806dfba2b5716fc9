import { DialogOpener } from '../../../shell/action-buttons.tsx';
import '../workspace.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { runMutation } from '../../../graphql/client.ts';
import { useLiveRows } from '../../../graphql/use-rows.ts';
import { formatCount } from '../../../i18n/format.ts';
import { FormDialog } from '../../../shell/dialogs/form-dialog.tsx';
import { RowList } from '../../../shell/rows/row-list.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { SearchField } from '../../../shell/search-field.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field, TextArea } from '../../../ui/form/field.tsx';
import { getText } from '../../../ui/form/form.tsx';
import { adminStrings } from '../strings.ts';
import type { GroupsView } from './address.ts';
import { GroupMakeDocument, GroupsDocument, type GroupsQuery } from './generated.ts';

export function Groups() {
  const view = useSearch({ from: '/admin/groups' });
  const navigate = useNavigate({ from: '/admin/groups' });
  const show = (changes: GroupsView) => void navigate({ search: (old) => ({ ...old, ...changes }) });
  return (
    <Screen
      title={adminStrings.groups}
      isFull
      actions={
        <DialogOpener look="primary" icon="plus" label={adminStrings.createGroup}>
          {(onClose) => <CreateGroupDialog onClose={onClose} />}
        </DialogOpener>
      }
    >
      <div className="split">
        <div className="split-list">
          <div className="list-filters">
            <SearchField hint={adminStrings.groupSearchHint} value={view.q} onSearch={(q) => show({ q })} />
          </div>
          <GroupList view={view} show={show} />
        </div>
      </div>
    </Screen>
  );
}

function GroupList({ view, show }: { view: GroupsView; show(changes: GroupsView): void }) {
  const navigate = useNavigate();
  const variables = { q: view.q };
  const rows = useLiveRows(GroupsDocument, variables, ({ groups }) => groups, 'res.groups');
  return (
    <RowList
      label={adminStrings.groups}
      variables={variables}
      rows={rows}
      onOpen={({ id }) => void navigate({ to: '/admin/groups/$id', params: { id }, search: {} })}
      keys={adminStrings.keys}
      countText={(total) => formatCount(total, adminStrings.groupCount)}
      none={
        <EmptyState title={adminStrings.noMatchingGroups}>
          <Button onClick={() => show({ q: undefined })}>{adminStrings.showAll}</Button>
        </EmptyState>
      }
      renderRow={(group) => <GroupRow group={group} />}
    />
  );
}

const GroupRow = ({ group }: { group: GroupsQuery['groups']['nodes'][number] }) => (
  <div className="list-row group-row">
    <strong>{group.fullName}</strong>
    <code className="quiet small">{group.externalId ?? adminStrings.customGroup}</code>
    <span className="quiet">{formatCount(group.users.totalCount ?? 0, adminStrings.memberCount)}</span>
  </div>
);

function CreateGroupDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const create = async (form: FormData) => {
    const { groupCreate } = await runMutation(GroupMakeDocument, {
      name: getText(form, 'name'),
      comment: getText(form, 'comment') || null,
    });
    void navigate({ to: '/admin/groups/$id', params: { id: groupCreate.id }, search: {} });
  };
  return (
    <FormDialog title={adminStrings.createGroup} errorField="name" onSubmit={create} onClose={onClose}>
      <p>{adminStrings.createGroupText}</p>
      <Field name="name" label={adminStrings.name} required />
      <TextArea name="comment" label={adminStrings.description} />
    </FormDialog>
  );
}
