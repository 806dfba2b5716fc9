import { useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { formatCount, formatInstant, formatWhen } from '../../../i18n/format.ts';
import { PasswordDialog } from '../../../shell/password-dialog.tsx';
import { LoadError } from '../../../shell/screen.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { adminWords } from '../words.ts';
import {
  UserSessionEndDocument,
  UserSessionsDocument,
  UserSessionsEndDocument,
  type UserSessionsQuery,
} from './generated.ts';

/** Where a user is signed in, to be ended one by one or all at once. */
export function UserSessions({ id }: { id: string }) {
  const { data, refusal, reload } = useGraphqlQuery(UserSessionsDocument, { id });
  const [isEnding, setEnding] = useState(false);
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const sessions = data.userSessions;
  return (
    <section className="card admin-stack" aria-label={adminWords.sessions}>
      <div className="admin-head">
        <p className="quiet">{adminWords.sessionsText}</p>
        {sessions.some(({ isCurrent }) => !isCurrent) && (
          <Button onClick={() => setEnding(true)}>{adminWords.endAll}</Button>
        )}
      </div>
      {sessions.length === 0 && <p>{adminWords.noSessions}</p>}
      <ul className="admin-rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} reload={reload} />
        ))}
      </ul>
      {isEnding && (
        <PasswordDialog
          title={adminWords.endAll}
          yes={adminWords.endAll}
          onClose={() => setEnding(false)}
          onYes={async (password) => {
            const { userSessionsRevoke } = await runMutation(UserSessionsEndDocument, { id, password });
            showToast(formatCount(userSessionsRevoke, adminWords.sessionsEnded));
            reload();
            return undefined;
          }}
        >
          <p>{adminWords.endAllText}</p>
        </PasswordDialog>
      )}
    </section>
  );
}

interface SessionProps {
  session: UserSessionsQuery['userSessions'][number];
  reload(): void;
}

function SessionRow({ session, reload }: SessionProps) {
  const { id, device, address, signedInAt, lastUsedAt, expiresAt, isCurrent, byKey } = session;
  const { isBusy, act } = useAction();
  const name = device === null ? adminWords.unknownDevice : adminWords.device(device);
  const end = () =>
    act(async () => {
      await runMutation(UserSessionEndDocument, { id });
      showToast(formatCount(1, adminWords.sessionsEnded));
      reload();
    });
  return (
    <li>
      <div>
        <strong>{name}</strong> {isCurrent && <StatusBadge tone="good">{adminWords.thisSession}</StatusBadge>}
        <p className="quiet small">
          {[
            address,
            adminWords.signedInOn(formatInstant(signedInAt)),
            lastUsedAt && adminWords.lastUsed(formatWhen(lastUsedAt)),
            adminWords.endsOn(formatWhen(expiresAt)),
            byKey && adminWords.byKey,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {!isCurrent && (
        <Button isBusy={isBusy} onClick={end} aria-label={adminWords.endOf(name)}>
          {adminWords.end}
        </Button>
      )}
    </li>
  );
}
