import { ActionButton, ConfirmButton, DialogOpener } from '../../../shell/action-buttons.tsx';
import { BackLink } from '../../../shell/back-link.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import '../workspace.css';
import { formatCount, formatInstant } from '../../../i18n/format.ts';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Timestamp } from '../../../ui/layout/timestamp.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/status-badge.tsx';
import { adminStrings } from '../strings.ts';
import {
  type InvitationFactsFragment,
  InvitationResendDocument,
  InvitationRevokeDocument,
  InvitationsDocument,
} from './generated.ts';
import { InviteDialog } from './invite.tsx';
import { Seats } from './seats.tsx';

/** The server's page size limit. Old invitations are deleted after a while, so one page is enough. */
const MAX_INVITATIONS = 500;

export function Invitations() {
  const { data, refusal, reload } = useLiveQuery(
    InvitationsDocument,
    {
      first: MAX_INVITATIONS,
      offset: 0,
    },
    'svc.user.invitation',
  );
  return (
    <Screen
      title={adminStrings.invitations}
      actions={
        <DialogOpener look="primary" icon="plus" label={adminStrings.invite}>
          {(onClose) => (
            <InviteDialog
              onClose={() => {
                onClose();
                reload();
              }}
            />
          )}
        </DialogOpener>
      }
    >
      <BackLink to="/admin/users" search={{}}>
        {adminStrings.users}
      </BackLink>
      <p className="quiet small">
        <Seats key={data?.userInvitations.totalCount} />
      </p>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data?.userInvitations.totalCount === 0 && (
        <EmptyState title={adminStrings.noInvitations} text={adminStrings.inviteText} />
      )}
      <ul className="card-list">
        {data?.userInvitations.nodes.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} reload={reload} />
        ))}
      </ul>
    </Screen>
  );
}

const TONES: Record<InvitationFactsFragment['state'], StatusTone> = {
  WAITING: 'waiting',
  ACCEPTED: 'good',
  REVOKED: 'plain',
  EXPIRED: 'bad',
};

function InvitationRow({ invitation, reload }: { invitation: InvitationFactsFragment; reload(): void }) {
  const { id, email, name, state, mailCount, sentAt, expiresAt } = invitation;
  const isOpen = state === 'WAITING' || state === 'EXPIRED';
  const resend = () =>
    runWithToast(InvitationResendDocument, { id }, adminStrings.invited(email)).then(reload);
  const revoke = () =>
    runWithToast(InvitationRevokeDocument, { id }, adminStrings.invitationRevoked(email)).then(reload);
  return (
    <li className="card">
      <div>
        <strong>{email}</strong> {name && <span className="quiet">{name}</span>}{' '}
        <StatusBadge tone={TONES[state]}>{adminStrings.invitationStates[state]}</StatusBadge>
        <p className="quiet small">
          <Timestamp at={sentAt} format={adminStrings.sentOn} />
          {mailCount > 1 && ` · ${formatCount(mailCount, adminStrings.emailCount)}`}
          {state === 'WAITING' && ` · ${adminStrings.validUntil(formatInstant(expiresAt))}`}
        </p>
      </div>
      {isOpen && (
        <div className="buttons">
          <ActionButton onAct={resend} aria-label={adminStrings.resendNamed(email)}>
            {adminStrings.resend}
          </ActionButton>
          <ConfirmButton
            label={adminStrings.revoke}
            aria-label={adminStrings.revokeNamed(email)}
            title={adminStrings.revokeTitle(email)}
            text={adminStrings.revokeText}
            onYes={revoke}
          />
        </div>
      )}
    </li>
  );
}
