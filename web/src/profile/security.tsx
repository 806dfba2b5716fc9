import './profile.css';
import { type FormEvent, useState } from 'react';
import { leaveForSignIn } from '../connection/reload.ts';
import { runMutation } from '../graphql/client.ts';
import { formatCount, formatInstant, formatWhen } from '../i18n/format.ts';
import { PasswordDialog } from '../shell/password-dialog.tsx';
import { LoadError, Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useAction, useFormAction } from '../shell/use-action.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
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
  const [isEnding, setEnding] = useState(false);
  const sessions = data?.userSessions ?? [];
  return (
    <Screen title={shellStrings.pages.security} needs="userSessions">
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data && (
        <div className="profile">
          <section className="card">
            <div className="profile-head">
              <h2>{profileStrings.sessions}</h2>
              {sessions.length > 1 && (
                <Button onClick={() => setEnding(true)}>{profileStrings.sessionsEnd}</Button>
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
          title={profileStrings.sessionsEnd}
          yes={profileStrings.sessionsEnd}
          onClose={() => setEnding(false)}
          onYes={async (password) => {
            const { userSessionsRevoke } = await runMutation(SessionsEndDocument, { password });
            showToast(formatCount(userSessionsRevoke, profileStrings.sessionsEnded));
            reload();
            return undefined;
          }}
        >
          <p>{profileStrings.sessionsEndText}</p>
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
  const { isBusy, act } = useAction();
  const name = device === null ? profileStrings.deviceUnknown : profileStrings.device(device);
  const end = () =>
    act(async () => {
      await runMutation(SessionEndDocument, { id });
      showToast(profileStrings.sessionEnded);
      reload();
    });
  return (
    <li>
      <div>
        <strong>{name}</strong>{' '}
        {isCurrent && <StatusBadge tone="good">{profileStrings.sessionHere}</StatusBadge>}
        <p className="quiet small">
          {address && `${address} · `}
          <time dateTime={signedInAt} title={formatInstant(signedInAt)}>
            {profileStrings.signedIn(formatWhen(signedInAt))}
          </time>
          {lastUsedAt && ` · ${profileStrings.lastUsed(formatWhen(lastUsedAt))}`} ·{' '}
          {profileStrings.endsOn(formatWhen(expiresAt))}
          {byKey && ` · ${profileStrings.sessionByKey}`}
        </p>
      </div>
      {!isCurrent && (
        <Button isBusy={isBusy} onClick={end} aria-label={profileStrings.sessionEndOf(name)}>
          {profileStrings.sessionEnd}
        </Button>
      )}
    </li>
  );
}

function PasswordForm() {
  const { isBusy, refusal, act } = useFormAction();
  const [isDifferent, setDifferent] = useState(false);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [old, fresh, repetition] = ['old', 'new', 'again'].map((name) => String(form.get(name)));
    setDifferent(fresh !== repetition);
    if (fresh !== repetition) return;
    void act(async () => {
      await runMutation(PasswordChangeDocument, { old: old!, new: fresh! });
      // The password change has also ended the current session.
      await leaveForSignIn();
    });
  };
  const isOld = refusal?.code === 'ACCESS_DENIED';
  return (
    <section className="card">
      <h2>{profileStrings.password}</h2>
      <p className="quiet">{profileStrings.passwordText}</p>
      <form className="profile-form" onSubmit={save}>
        <Field
          name="old"
          type="password"
          label={profileStrings.passwordOld}
          autoComplete="current-password"
          required
          error={isOld ? refusal.message : null}
        />
        <div className="pair">
          <Field
            name="new"
            type="password"
            label={profileStrings.passwordNew}
            autoComplete="new-password"
            required
            error={refusal && !isOld ? refusal.message : null}
          />
          <Field
            name="again"
            type="password"
            label={profileStrings.passwordAgain}
            autoComplete="new-password"
            required
            error={isDifferent ? profileStrings.passwordDiffers : null}
          />
        </div>
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {profileStrings.passwordChange}
          </Button>
        </div>
      </form>
    </section>
  );
}
