import './profile.css';
import { useState } from 'react';
import { leaveForSignIn } from '../connection/reload.ts';
import { runMutation } from '../graphql/client.ts';
import { ActionForm } from '../shell/action-form.tsx';
import { Screen } from '../shell/screen.tsx';
import { SessionList } from '../shell/sessions/session-list.tsx';
import { shellStrings } from '../shell/strings.ts';
import { Field } from '../ui/form/field.tsx';
import { PasswordChangeDocument } from './generated.ts';
import { profileStrings } from './strings.ts';

export const Security = () => (
  <Screen title={shellStrings.pages.security}>
    <div className="profile">
      <SessionList
        text={profileStrings.sessionsText}
        endAll={profileStrings.endOtherSessions}
        endAllText={profileStrings.endOtherSessionsText}
      />
      <PasswordForm />
    </div>
  </Screen>
);

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
