import { runMutation } from '../../../graphql/client.ts';
import { formatCount, formatInstant, formatWhen } from '../../../i18n/format.ts';
import { ActionButton, DialogOpener } from '../../../shell/action-buttons.tsx';
import { PasswordDialog } from '../../../shell/dialogs/password-dialog.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { adminStrings } from '../strings.ts';
import {
  UserSessionEndDocument,
  UserSessionsDocument,
  UserSessionsEndDocument,
  type UserSessionsQuery,
} from './generated.ts';

export function UserSessions({ id }: { id: string }) {
  const { data, refusal, reload } = useGraphqlQuery(UserSessionsDocument, { id });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const sessions = data.userSessions;
  return (
    <section className="card admin-stack" aria-label={adminStrings.sessions}>
      <div className="section-head">
        <p className="quiet">{adminStrings.sessionsText}</p>
        {sessions.some(({ isCurrent }) => !isCurrent) && (
          <DialogOpener label={adminStrings.endAllSessions}>
            {(onClose) => (
              <PasswordDialog
                title={adminStrings.endAllSessions}
                yes={adminStrings.endAllSessions}
                onClose={onClose}
                onYes={async (password) => {
                  const { userSessionsRevoke } = await runMutation(UserSessionsEndDocument, { id, password });
                  showToast(formatCount(userSessionsRevoke, adminStrings.sessionsEnded));
                  reload();
                  return undefined;
                }}
              >
                <p>{adminStrings.endAllSessionsText}</p>
              </PasswordDialog>
            )}
          </DialogOpener>
        )}
      </div>
      {sessions.length === 0 && <p>{adminStrings.noSessions}</p>}
      <ul className="admin-rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} reload={reload} />
        ))}
      </ul>
    </section>
  );
}

interface SessionProps {
  session: UserSessionsQuery['userSessions'][number];
  reload(): void;
}

function SessionRow({ session, reload }: SessionProps) {
  const { id, device, address, signedInAt, lastUsedAt, expiresAt, isCurrent, byKey } = session;
  const name = device === null ? adminStrings.unknownDevice : adminStrings.device(device);
  const end = () =>
    runWithToast(UserSessionEndDocument, { id }, formatCount(1, adminStrings.sessionsEnded)).then(reload);
  return (
    <li>
      <div>
        <strong>{name}</strong>{' '}
        {isCurrent && <StatusBadge tone="good">{adminStrings.thisSession}</StatusBadge>}
        <p className="quiet small">
          {[
            address,
            adminStrings.signedInOn(formatInstant(signedInAt)),
            lastUsedAt && adminStrings.lastUsed(formatWhen(lastUsedAt)),
            adminStrings.expiresOn(formatWhen(expiresAt)),
            byKey && adminStrings.createdByKey,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {!isCurrent && (
        <ActionButton onAct={end} aria-label={adminStrings.endSessionNamed(name)}>
          {adminStrings.endSession}
        </ActionButton>
      )}
    </li>
  );
}
