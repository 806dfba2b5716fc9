import { type FormEvent, useEffect, useState } from 'react';
import { leaveForSignIn, reloadPage } from '../../connection/reload.ts';
import { requestPage } from '../../connection/server.ts';
import { reportSignedIn } from '../../connection/session.ts';
import { runUncachedQuery } from '../../graphql/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/form/field.tsx';
import { ShellDocument } from '../generated.ts';
import { shellStrings } from '../strings.ts';
import { useViewer } from '../viewer.ts';

/** Asks for the password after the session has ended. The screen and all input are preserved. */
export function SignInDialog() {
  const { viewer, workspace } = useViewer();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const check = () => void checkSession(viewer.userId);
    addEventListener('focus', check);
    return () => removeEventListener('focus', check);
  }, [viewer.userId]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    setIsBusy(true);
    const error = await signIn({ workspace: workspace.slug, login: viewer.login, password });
    setIsBusy(false);
    setError(error);
    if (!error) reportSignedIn();
  };
  return (
    <Dialog title={shellStrings.sessionEnded} onClose={() => {}}>
      <form className="stack" onSubmit={submit}>
        <p>{shellStrings.sessionEndedText(viewer.name)}</p>
        {/* Password managers need the login. */}
        <input type="hidden" name="login" value={viewer.login} autoComplete="username" />
        <Field
          name="password"
          type="password"
          label={shellStrings.yourPassword}
          autoComplete="current-password"
          required
          error={error}
        />
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {shellStrings.signIn}
          </Button>
          <Button onClick={leaveForSignIn}>{shellStrings.signInPage}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Another tab may have signed in, possibly as another user. */
async function checkSession(userId: string | null): Promise<void> {
  const page = await requestPage();
  if (!page || page.isSignedOut) return;
  const { viewer } = await runUncachedQuery(ShellDocument, { operations: [] });
  if (viewer.userId === userId) reportSignedIn();
  else await reloadPage();
}

async function signIn(fields: { workspace: string; login: string; password: string }) {
  try {
    const body = new URLSearchParams({ ...fields, next: '/app' });
    // The server responds to a correct password with a redirect.
    const { type, status } = await fetch('/login', { method: 'POST', body, redirect: 'manual' });
    if (type === 'opaqueredirect') return undefined;
    return status === 429 ? shellStrings.signInLimit : shellStrings.wrongPassword;
  } catch {
    return shellStrings.serverUnreachable;
  }
}
