import { useState } from 'react';
import { change } from '../../../graphql/client.ts';
import { counted, formatInstant, formatWhen } from '../../../i18n/format.ts';
import { useAct } from '../../../shell/act.ts';
import { useAnswer } from '../../../shell/answer.ts';
import { AskPassword } from '../../../shell/ask-password.tsx';
import { Failed } from '../../../shell/screen.tsx';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { say } from '../../../ui/toasts.tsx';
import { adminWords } from '../words.ts';
import {
  UserSessionEndDocument,
  UserSessionsDocument,
  UserSessionsEndDocument,
  type UserSessionsQuery,
} from './generated.ts';

/** Where a user is signed in, to be ended one by one or all at once. */
export function UserSessions({ id }: { id: string }) {
  const { data, refusal, reload } = useAnswer(UserSessionsDocument, { id });
  const [isEnding, setEnding] = useState(false);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
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
        <AskPassword
          title={adminWords.endAll}
          yes={adminWords.endAll}
          onClose={() => setEnding(false)}
          onYes={async (password) => {
            const { userSessionsRevoke } = await change(UserSessionsEndDocument, { id, password });
            say(counted(userSessionsRevoke, adminWords.sessionsEnded));
            reload();
            return undefined;
          }}
        >
          <p>{adminWords.endAllText}</p>
        </AskPassword>
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
  const { isBusy, act } = useAct();
  const name = device === null ? adminWords.unknownDevice : adminWords.device(device);
  const end = () =>
    act(async () => {
      await change(UserSessionEndDocument, { id });
      say(counted(1, adminWords.sessionsEnded));
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
