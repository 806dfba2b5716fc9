import '../workspace.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveRows } from '../../../graphql/use-rows.ts';
import { formatCount } from '../../../i18n/format.ts';
import { RowList } from '../../../shell/rows/row-list.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { SearchField } from '../../../shell/search-field.tsx';
import { useViewer } from '../../../shell/viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/form/field.tsx';
import { parseChoice } from '../../../ui/input/search-params.ts';
import { Timestamp } from '../../../ui/layout/timestamp.tsx';
import { adminStrings } from '../strings.ts';
import { toUsersVariables, USER_FILTERS, type UsersView } from './address.ts';
import { CreateUserDialog } from './create-user.tsx';
import { type UserFactsFragment, UsersDocument } from './generated.ts';
import { InviteDialog } from './invite.tsx';
import { Seats } from './seats.tsx';
import { UserBadge } from './user-badge.tsx';

export function Users() {
  const view = useSearch({ from: '/admin/users' });
  const navigate = useNavigate({ from: '/admin/users' });
  const { can } = useViewer();
  const [openDialog, setOpenDialog] = useState<'invite' | 'create' | null>(null);
  const show = (changes: UsersView) => void navigate({ search: (old) => ({ ...old, ...changes }) });
  return (
    <Screen
      title={adminStrings.users}
      isFull
      actions={
        can.has('userInvite') && (
          <>
            <Link to="/admin/users/invitations" className="button">
              {adminStrings.invitations}
            </Link>
            <Button onClick={() => setOpenDialog('create')}>{adminStrings.createUser}</Button>
            <Button look="primary" icon="plus" onClick={() => setOpenDialog('invite')}>
              {adminStrings.invite}
            </Button>
          </>
        )
      }
    >
      <div className="split">
        <div className="split-list">
          <div className="list-filters">
            <SearchField hint={adminStrings.userSearchHint} value={view.q} onSearch={(q) => show({ q })} />
            <Select
              label={adminStrings.show}
              value={view.show ?? 'active'}
              options={USER_FILTERS.map(
                (userFilter) => [userFilter, adminStrings.userFilters[userFilter]] as const,
              )}
              onChange={({ target }) => show({ show: parseChoice(USER_FILTERS, target.value) })}
            />
          </div>
          <UserList view={view} show={show} />
        </div>
      </div>
      {openDialog === 'invite' && <InviteDialog onClose={() => setOpenDialog(null)} />}
      {openDialog === 'create' && <CreateUserDialog onClose={() => setOpenDialog(null)} />}
    </Screen>
  );
}

function UserList({ view, show }: { view: UsersView; show(changes: UsersView): void }) {
  const navigate = useNavigate();
  const variables = toUsersVariables(view);
  const rows = useLiveRows(UsersDocument, variables, ({ users }) => users, 'res.users');
  return (
    <RowList
      label={adminStrings.users}
      variables={variables}
      rows={rows}
      onOpen={({ id }) => void navigate({ to: '/admin/users/$id', params: { id }, search: {} })}
      keys={adminStrings.keys}
      countText={(total) => formatCount(total, adminStrings.userCount)}
      extra={<Seats />}
      none={
        <EmptyState title={adminStrings.noMatchingUsers}>
          <Button onClick={() => show({ q: undefined, show: undefined })}>{adminStrings.showActive}</Button>
        </EmptyState>
      }
      renderRow={(user) => <UserRow user={user} />}
    />
  );
}

const UserRow = ({ user }: { user: UserFactsFragment }) => (
  <div className="list-row user-row">
    <strong>{user.name}</strong>
    <span className="user-login quiet">{user.login}</span>
    <UserBadge user={user} />
    {user.loginDate ? (
      <Timestamp at={user.loginDate} />
    ) : (
      <span className="quiet small">{user.isSvcAgent ? '' : adminStrings.neverSignedIn}</span>
    )}
  </div>
);
