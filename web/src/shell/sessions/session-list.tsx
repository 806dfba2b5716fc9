import { runMutation } from '../../graphql/client.ts';
import { formatCount, formatWhen } from '../../i18n/format.ts';
import { Timestamp } from '../../ui/layout/timestamp.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ActionButton, DialogOpener } from '../action-buttons.tsx';
import { PasswordDialog } from '../dialogs/password-dialog.tsx';
import { LoadStatus } from '../loading.tsx';
import { runWithToast } from '../run-with-toast.ts';
import { shellStrings } from '../strings.ts';
import { useGraphqlQuery } from '../use-graphql-query.ts';
import {
  SessionEndDocument,
  SessionsDocument,
  SessionsEndDocument,
  type SessionsQuery,
} from './generated.ts';

interface SessionListProps {
  /** User whose sessions are listed. Defaults to the current user. */
  user?: string;
  text: string;
  /** Label of the button that ends all sessions except the current one. */
  endAll: string;
  endAllText: string;
}

export function SessionList({ user, text, endAll, endAllText }: SessionListProps) {
  const { data, refusal, reload } = useGraphqlQuery(SessionsDocument, { user });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const sessions = data.userSessions;
  const endOthers = async (password: string) => {
    const { userSessionsRevoke } = await runMutation(SessionsEndDocument, { user, password });
    showToast(formatCount(userSessionsRevoke, shellStrings.sessionsEnded));
    reload();
    return undefined;
  };
  return (
    <section className="card stack" aria-label={shellStrings.sessions}>
      <div className="section-head">
        <h2>{shellStrings.sessions}</h2>
        {sessions.some(({ isCurrent }) => !isCurrent) && (
          <DialogOpener label={endAll}>
            {(onClose) => (
              <PasswordDialog title={endAll} yes={endAll} onYes={endOthers} onClose={onClose}>
                <p>{endAllText}</p>
              </PasswordDialog>
            )}
          </DialogOpener>
        )}
      </div>
      <p className="quiet">{text}</p>
      {sessions.length === 0 && <p>{shellStrings.noSessions}</p>}
      <ul className="item-rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} reload={reload} />
        ))}
      </ul>
    </section>
  );
}

interface SessionRowProps {
  session: SessionsQuery['userSessions'][number];
  reload(): void;
}

function SessionRow({ session, reload }: SessionRowProps) {
  const { id, device, address, signedInAt, lastUsedAt, expiresAt, isCurrent, byKey } = session;
  const name = device === null ? shellStrings.unknownDevice : shellStrings.device(device);
  const end = () =>
    runWithToast(SessionEndDocument, { id }, formatCount(1, shellStrings.sessionsEnded)).then(reload);
  return (
    <li>
      <div>
        <strong>{name}</strong>{' '}
        {isCurrent && <StatusBadge tone="good">{shellStrings.thisBrowser}</StatusBadge>}
        <p className="quiet small">
          {address && `${address} · `}
          <Timestamp at={signedInAt} format={shellStrings.signedIn} />
          {lastUsedAt && ` · ${shellStrings.lastUsed(formatWhen(lastUsedAt))}`} ·{' '}
          {shellStrings.expiresOn(formatWhen(expiresAt))}
          {byKey && ` · ${shellStrings.sessionByKey}`}
        </p>
      </div>
      {!isCurrent && (
        <ActionButton onAct={end} aria-label={shellStrings.endSessionNamed(name)}>
          {shellStrings.signOut}
        </ActionButton>
      )}
    </li>
  );
}
