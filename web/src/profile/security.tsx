import { ActionButton } from '../shell/action-buttons.tsx';
import { runWithToast } from '../shell/run-with-toast.ts';
import './profile.css';
import { useState } from 'react';
import { leaveForSignIn } from '../connection/reload.ts';
import { runMutation } from '../graphql/client.ts';
import { formatCount, formatWhen } from '../i18n/format.ts';
import { ActionForm } from '../shell/action-form.tsx';
import { PasswordDialog } from '../shell/dialogs/password-dialog.tsx';
import { LoadError, Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/form/field.tsx';
import { Timestamp } from '../ui/layout/timestamp.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { showToast } from '../ui/toasts.tsx';
import {
  PasswordChangeDocument,
  SessionEndDocument,
  SessionsDocument,
  SessionsEndDocument,
  type SessionsQuery,
} from './generated.ts';
import { profileStrings } from './strings.ts';

export function Security() {
  const { data, refusal, reload } = useGraphqlQuery(SessionsDocument, {});
  const [isEnding, setIsEnding] = useState(false);
  const sessions = data?.userSessions ?? [];
  return (
    <Screen title={shellStrings.pages.security}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data && (
        <div className="profile">
          <section className="card">
            <div className="section-head">
              <h2>{profileStrings.sessions}</h2>
              {sessions.length > 1 && (
                <Button onClick={() => setIsEnding(true)}>{profileStrings.endOtherSessions}</Button>
              )}
            </div>
            <p className="quiet">{profileStrings.sessionsText}</p>
            <ul className="profile-rows">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} reload={reload} />
              ))}
            </ul>
          </section>
          <PasswordForm />
        </div>
      )}
      {isEnding && (
        <PasswordDialog
          title={profileStrings.endOtherSessions}
          yes={profileStrings.endOtherSessions}
          onClose={() => setIsEnding(false)}
          onYes={async (password) => {
            const { userSessionsRevoke } = await runMutation(SessionsEndDocument, { password });
            showToast(formatCount(userSessionsRevoke, profileStrings.sessionsEnded));
            reload();
            return undefined;
          }}
        >
          <p>{profileStrings.endOtherSessionsText}</p>
        </PasswordDialog>
      )}
    </Screen>
  );
}

interface SessionProps {
  session: SessionsQuery['userSessions'][number];
  reload(): void;
}

function SessionRow({ session, reload }: SessionProps) {
  const { id, device, address, signedInAt, lastUsedAt, expiresAt, isCurrent, byKey } = session;
  const name = device === null ? profileStrings.unknownDevice : profileStrings.device(device);
  const end = () => runWithToast(SessionEndDocument, { id }, profileStrings.sessionEnded).then(reload);
  return (
    <li>
      <div>
        <strong>{name}</strong>{' '}
        {isCurrent && <StatusBadge tone="good">{profileStrings.thisBrowser}</StatusBadge>}
        <p className="quiet small">
          {address && `${address} · `}
          <Timestamp at={signedInAt} format={profileStrings.signedIn} />
          {lastUsedAt && ` · ${profileStrings.lastUsed(formatWhen(lastUsedAt))}`} ·{' '}
          {profileStrings.expiresOn(formatWhen(expiresAt))}
          {byKey && ` · ${profileStrings.sessionByKey}`}
        </p>
      </div>
      {!isCurrent && (
        <ActionButton onAct={end} aria-label={profileStrings.endSessionNamed(name)}>
          {profileStrings.endSession}
        </ActionButton>
      )}
    </li>
  );
}

function PasswordForm() {
  const [isDifferent, setIsDifferent] = useState(false);
  const save = async (form: FormData) => {
    const [old, newPassword, repetition] = ['old', 'new', 'again'].map((name) => String(form.get(name)));
    setIsDifferent(newPassword !== repetition);
    if (newPassword !== repetition) return;
    await runMutation(PasswordChangeDocument, { old: old!, new: newPassword! });
    // Changing the password has ended the current session.
    await leaveForSignIn();
  };
  return (
    <section className="card">
      <h2>{profileStrings.password}</h2>
      <p className="quiet">{profileStrings.passwordText}</p>
      <ActionForm
        submit={profileStrings.changePassword}
        errorField={({ code }) => (code === 'ACCESS_DENIED' ? 'old' : 'new')}
        onSubmit={save}
      >
        <Field
          name="old"
          type="password"
          label={profileStrings.currentPassword}
          autoComplete="current-password"
          required
        />
        <div className="pair">
          <Field
            name="new"
            type="password"
            label={profileStrings.newPassword}
            autoComplete="new-password"
            required
          />
          <Field
            name="again"
            type="password"
            label={profileStrings.confirmPassword}
            autoComplete="new-password"
            required
            error={isDifferent ? profileStrings.passwordMismatch : null}
          />
        </div>
      </ActionForm>
    </section>
  );
}
