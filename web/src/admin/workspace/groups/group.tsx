import { BackLink } from '../../../shell/back-link.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import '../workspace.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { runMutation, runQuery } from '../../../graphql/client.ts';
import { ConfirmButton } from '../../../shell/action-buttons.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { GuardedForm } from '../guarded-form.tsx';
import { adminStrings } from '../strings.ts';
import { GROUP_TABS } from './address.ts';
import {
  type GroupDetailsFragment,
  GroupRemoveDocument,
  GroupSaveDocument,
  OneGroupDocument,
} from './generated.ts';
import { GroupRights } from './group-rights.tsx';
import { ImpliedGroups, Members } from './relations.tsx';

export function GroupPage() {
  const { id } = useParams({ from: '/admin/groups/$id' });
  const { tab = 'members' } = useSearch({ from: '/admin/groups/$id' });
  const navigate = useNavigate({ from: '/admin/groups/$id' });
  const { data, refusal, reload } = useLiveQuery(OneGroupDocument, { id }, 'res.groups');
  const group = data?.group;
  return (
    <Screen
      title={group ? (group.fullName ?? group.name) : adminStrings.group}
      actions={group && group.externalId === null && <DeleteGroupButton group={group} />}
    >
      <BackLink to="/admin/groups" search={{}}>
        {adminStrings.groups}
      </BackLink>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !group && <EmptyState title={adminStrings.groupNotFound} />}
      {group && (
        <div className="admin-page">
          {group.comment && <p className="measure">{group.comment}</p>}
          <Tabs
            label={adminStrings.group}
            tabs={GROUP_TABS.map((groupTab) => [groupTab, adminStrings.groupTabs[groupTab]])}
            at={tab}
            onGo={(next) => void navigate({ search: { tab: next } })}
          >
            {tab === 'members' && <Members id={id} />}
            {tab === 'implied' && <ImpliedGroups id={id} />}
            {tab === 'rights' && <GroupRights id={id} />}
            {tab === 'details' && <GroupDetailsForm group={group} reload={reload} />}
          </Tabs>
        </div>
      )}
    </Screen>
  );
}

const GroupDetailsForm = ({ group, reload }: { group: GroupDetailsFragment; reload(): void }) => (
  <section className="card admin-stack" aria-label={adminStrings.details}>
    <GuardedForm
      key={group.id}
      label={adminStrings.details}
      fields={[
        { name: 'name', label: adminStrings.name, required: true },
        { name: 'comment', label: adminStrings.description, kind: 'long' },
      ]}
      facts={group}
      loadCurrent={async () => (await runQuery(OneGroupDocument, { id: group.id })).group}
      save={(input, { version: expectedVersion }) =>
        runMutation(GroupSaveDocument, { id: group.id, input, expectedVersion })
      }
      onSaved={reload}
    />
    {group.externalId && <p className="quiet small">{adminStrings.externalIdText(group.externalId)}</p>}
  </section>
);

/** Only groups created in the workspace can be deleted. An app's groups are removed with the app. */
function DeleteGroupButton({ group }: { group: GroupDetailsFragment }) {
  const navigate = useNavigate();
  const remove = async () => {
    await runWithToast(GroupRemoveDocument, { id: group.id }, adminStrings.deleted(group.name));
    void navigate({ to: '/admin/groups', search: {}, ignoreBlocker: true });
  };
  return (
    <ConfirmButton
      icon="trash"
      label={adminStrings.delete}
      title={adminStrings.deleteTitle(group.name)}
      text={adminStrings.deleteGroupText}
      onYes={remove}
    />
  );
}
