import { ActionButton, ConfirmButton, DialogOpener } from '../../../shell/action-buttons.tsx';
import { BackLink } from '../../../shell/back-link.tsx';
import '../workspace.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { runMutation, runQuery } from '../../../graphql/client.ts';
import { formatInstant } from '../../../i18n/format.ts';
import { FormDialog } from '../../../shell/dialogs/form-dialog.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { SessionList } from '../../../shell/sessions/session-list.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { useViewer } from '../../../shell/viewer.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Facts } from '../../../ui/layout/facts.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { GuardedForm } from '../guarded-form.tsx';
import { adminStrings } from '../strings.ts';
import { USER_TABS } from './address.ts';
import { OneUserDocument, type UserDetailsFragment, UserSaveDocument } from './generated.ts';
import { UserAccess } from './user-access.tsx';
import { UserBadge } from './user-badge.tsx';
import { UserGroups } from './user-groups.tsx';

export function UserPage() {
  const { id } = useParams({ from: '/admin/users/$id' });
  const { tab = 'details' } = useSearch({ from: '/admin/users/$id' });
  const navigate = useNavigate({ from: '/admin/users/$id' });
  const { data, refusal, reload } = useLiveQuery(OneUserDocument, { id }, 'res.users');
  const user = data?.user;
  return (
    <Screen
      title={user ? (user.name ?? user.login) : adminStrings.user}
      actions={user && <UserActions user={user} reload={reload} />}
    >
      <BackLink to="/admin/users" search={{}}>
        {adminStrings.users}
      </BackLink>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !user && <EmptyState title={adminStrings.userNotFound} />}
      {user && (
        <div className="admin-page">
          <Tabs
            label={adminStrings.user}
            tabs={USER_TABS.map((userTab) => [userTab, adminStrings.userTabs[userTab]])}
            at={tab}
            onGo={(next) => void navigate({ search: { tab: next } })}
          >
            {tab === 'details' && <UserDetailsForm user={user} reload={reload} />}
            {tab === 'groups' && <UserGroups id={id} onChanged={reload} />}
            {tab === 'sessions' && (
              <SessionList
                user={id}
                text={adminStrings.sessionsText}
                endAll={adminStrings.endAllSessions}
                endAllText={adminStrings.endAllSessionsText}
              />
            )}
            {tab === 'access' &&
              (user.active ? (
                <UserAccess id={id} />
              ) : (
                <p className="quiet">{adminStrings.archivedHasNoPermissions}</p>
              ))}
          </Tabs>
        </div>
      )}
    </Screen>
  );
}

interface UserProps {
  user: UserDetailsFragment;
  reload(): void;
}

function UserActions({ user, reload }: UserProps) {
  const { viewer } = useViewer();
  const isSelf = user.id === viewer.userId;
  const setActive = async (active: boolean) => {
    await runMutation(UserSaveDocument, { id: user.id, input: { active } });
    showToast(active ? adminStrings.restored(user.login) : adminStrings.archived(user.login));
    reload();
  };
  return (
    <>
      {user.active && !user.isSvcAgent && !isSelf && (
        <DialogOpener icon="key" label={adminStrings.setPassword}>
          {(onClose) => <SetPasswordDialog user={user} onClose={onClose} />}
        </DialogOpener>
      )}
      {!user.active && <ActionButton onAct={() => setActive(true)}>{adminStrings.restore}</ActionButton>}
      {user.active && !isSelf && (
        <ConfirmButton
          icon="archive"
          label={adminStrings.archive}
          title={adminStrings.archiveTitle(user.login)}
          text={adminStrings.archiveText}
          onYes={() => setActive(false)}
        />
      )}
    </>
  );
}

function SetPasswordDialog({ user, onClose }: { user: UserDetailsFragment; onClose(): void }) {
  const save = async (form: FormData) => {
    await runMutation(UserSaveDocument, {
      id: user.id,
      input: { newPassword: String(form.get('password')) },
    });
    showToast(adminStrings.passwordChanged(user.login));
  };
  return (
    <FormDialog
      title={adminStrings.setPasswordTitle(user.login)}
      submit={adminStrings.setPassword}
      errorField="password"
      onSubmit={save}
      onClose={onClose}
    >
      <p>{adminStrings.setPasswordText}</p>
      <Field
        name="password"
        type="password"
        label={adminStrings.newPassword}
        required
        autoComplete="new-password"
      />
    </FormDialog>
  );
}

const UserDetailsForm = ({ user, reload }: UserProps) => (
  <div className="admin-stack">
    <section className="card" aria-label={adminStrings.details}>
      <GuardedForm
        key={user.id}
        label={adminStrings.details}
        fields={[
          { name: 'name', label: adminStrings.name, required: true },
          { name: 'login', label: adminStrings.login, hint: adminStrings.loginChangeHint, required: true },
          { name: 'email', label: adminStrings.email, kind: 'email' },
          { name: 'phone', label: adminStrings.phone },
        ]}
        facts={user}
        // The user's contact stores the name, the email address and the phone number.
        isVersioned={false}
        loadCurrent={async () => (await runQuery(OneUserDocument, { id: user.id })).user}
        save={(input, { version: expectedVersion }) =>
          runMutation(UserSaveDocument, { id: user.id, input, expectedVersion })
        }
        onSaved={reload}
      />
    </section>
    <section className="card" aria-label={adminStrings.overview}>
      <Facts
        facts={[
          [adminStrings.type, <UserBadge key="kind" user={user} />],
          [
            adminStrings.lastSignIn,
            user.loginDate ? formatInstant(user.loginDate) : adminStrings.neverSignedIn,
          ],
          [adminStrings.createdAt, formatInstant(user.createdAt)],
          [adminStrings.lastChanged, formatInstant(user.updatedAt)],
          [
            adminStrings.trail,
            <Link key="trail" to="/admin/audit" search={{ user: user.id }}>
              {adminStrings.userActivity}
            </Link>,
          ],
        ]}
      />
      {user.isSvcAgent && <p className="quiet">{adminStrings.serviceAccountText}</p>}
    </section>
  </div>
);
