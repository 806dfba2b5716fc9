import { BackLink } from '../../../shell/back-link.tsx';
import '../../../ui/layout/layout.css';
import '../workspace.css';
import { useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { formatCount, formatInstant } from '../../../i18n/format.ts';
import { ConfirmButton } from '../../../shell/dialogs/confirm.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Timestamp } from '../../../ui/layout/timestamp.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { PermissionGuard } from '../require-permission.tsx';
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

export const Invitations = () => (
  <PermissionGuard title={adminStrings.invitations} needs="userInvite">
    <InvitationList />
  </PermissionGuard>
);

function InvitationList() {
  const [isInviting, setIsInviting] = useState(false);
  const { data, refusal, reload } = useGraphqlQuery(InvitationsDocument, {
    first: MAX_INVITATIONS,
    offset: 0,
  });
  useReloadOnChange('svc.user.invitation', reload);
  const close = () => {
    setIsInviting(false);
    reload();
  };
  return (
    <Screen
      title={adminStrings.invitations}
      needs="userInvite"
      actions={
        <Button look="primary" icon="plus" onClick={() => setIsInviting(true)}>
          {adminStrings.invite}
        </Button>
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
        <EmptyState title={adminStrings.noInvitations}>
          <p>{adminStrings.inviteText}</p>
        </EmptyState>
      )}
      <ul className="card-list">
        {data?.userInvitations.nodes.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} reload={reload} />
        ))}
      </ul>
      {isInviting && <InviteDialog onClose={close} />}
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
  const { isBusy, act } = useAction();
  const isOpen = state === 'WAITING' || state === 'EXPIRED';
  const resend = () =>
    act(async () => {
      await runMutation(InvitationResendDocument, { id });
      showToast(adminStrings.invited(email));
      reload();
    });
  const revoke = async () => {
    await runMutation(InvitationRevokeDocument, { id });
    showToast(adminStrings.invitationRevoked(email));
    reload();
  };
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
          <Button isBusy={isBusy} onClick={resend} aria-label={adminStrings.resendNamed(email)}>
            {adminStrings.resend}
          </Button>
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
