import '../../operation/operation.css';
import '../workspace.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation, runQuery } from '../../../graphql/client.ts';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { LoadError, Screen } from '../../../shell/screen.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { GuardedForm } from '../guarded-form.tsx';
import { RequirePermission } from '../require-permission.tsx';
import { adminWords } from '../words.ts';
import { GROUP_TABS } from './address.ts';
import {
  GroupRemoveDocument,
  GroupSaveDocument,
  type GroupShownFragment,
  OneGroupDocument,
} from './generated.ts';
import { GroupRights } from './group-rights.tsx';
import { ImpliedGroups, Members } from './relations.tsx';

/** A group: who is in it, which others come along, and what it gives. */
export const GroupPage = () => (
  <RequirePermission title={adminWords.group} needs="featureSet">
    <GroupContent />
  </RequirePermission>
);

function GroupContent() {
  const { id } = useParams({ from: '/admin/groups/$id' });
  const { tab = 'members' } = useSearch({ from: '/admin/groups/$id' });
  const navigate = useNavigate({ from: '/admin/groups/$id' });
  const { data, refusal, reload } = useGraphqlQuery(OneGroupDocument, { id });
  useReloadOnChange('res.groups', reload);
  const group = data?.group;
  return (
    <Screen
      title={group ? (group.fullName ?? group.name) : adminWords.group}
      needs="featureSet"
      measure="middle"
      actions={group && group.externalId === null && <DeleteGroup group={group} />}
    >
      <p>
        <Link to="/admin/groups" search={{}}>
          ‹ {adminWords.groups}
        </Link>
      </p>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && !group && <EmptyState title={adminWords.noSuchGroup} />}
      {group && (
        <div className="admin-page">
          {group.comment && <p className="op-text">{group.comment}</p>}
          <Tabs
            label={adminWords.group}
            tabs={GROUP_TABS.map((each) => [each, adminWords.groupTabs[each]])}
            at={tab}
            onGo={(next) => void navigate({ search: { tab: next } })}
          >
            {tab === 'members' && <Members id={id} />}
            {tab === 'implied' && <ImpliedGroups id={id} />}
            {tab === 'rights' && <GroupRights id={id} />}
            {tab === 'details' && <Details group={group} reload={reload} />}
          </Tabs>
        </div>
      )}
    </Screen>
  );
}

/** Pure. */
const getGroupValues = ({ name, comment }: GroupShownFragment) => ({ name, comment });

const Details = ({ group, reload }: { group: GroupShownFragment; reload(): void }) => (
  <section className="card admin-stack" aria-label={adminWords.details}>
    <GuardedForm
      key={group.id}
      label={adminWords.details}
      fields={[
        { name: 'name', label: adminWords.name, required: true },
        { name: 'comment', label: adminWords.comment, kind: 'long' },
      ]}
      kept={group}
      values={getGroupValues(group)}
      ask={async () => {
        const { group: now } = await runQuery(OneGroupDocument, { id: group.id });
        return now && { kept: now, values: getGroupValues(now) };
      }}
      save={(changes, { kept }) =>
        runMutation(GroupSaveDocument, { id: group.id, updatedAt: kept.updatedAt!, ...changes })
      }
      onSaved={reload}
    />
    {group.externalId && <p className="quiet small">{adminWords.externalIdIs(group.externalId)}</p>}
  </section>
);

/** Groups of apps go with their app; those that were added here can be deleted here. */
function DeleteGroup({ group }: { group: GroupShownFragment }) {
  const navigate = useNavigate();
  const { act } = useAction();
  const [isAsking, setAsking] = useState(false);
  const remove = () =>
    act(async () => {
      await runMutation(GroupRemoveDocument, { id: group.id });
      showToast(adminWords.deleted(group.name));
      void navigate({ to: '/admin/groups', search: {} });
    });
  return (
    <>
      <Button icon="trash" onClick={() => setAsking(true)}>
        {adminWords.delete}
      </Button>
      {isAsking && (
        <Confirm
          title={adminWords.deleteTitle(group.name)}
          yes={adminWords.delete}
          no={shellWords.cancel}
          onYes={remove}
          onClose={() => setAsking(false)}
        >
          <p>{adminWords.deleteGroupText}</p>
        </Confirm>
      )}
    </>
  );
}
