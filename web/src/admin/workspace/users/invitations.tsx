import '../../operation/operation.css';
import '../workspace.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { formatCount, formatInstant, formatWhen } from '../../../i18n/format.ts';
import { LoadError, Screen } from '../../../shell/screen.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { RequirePermission } from '../require-permission.tsx';
import { adminWords } from '../words.ts';
import {
  type InvitationFactsFragment,
  InvitationResendDocument,
  InvitationRevokeDocument,
  InvitationsDocument,
} from './generated.ts';
import { Invite } from './invite.tsx';
import { Seats } from './seats.tsx';

/** As many as one answer holds; older ones are deleted by the server in time. */
const MAX_INVITATIONS = 500;

/** Who was asked to become a user, and what came of it. */
export const Invitations = () => (
  <RequirePermission title={adminWords.invitations} needs="userInvite">
    <InvitationList />
  </RequirePermission>
);

function InvitationList() {
  const [isInviting, setInviting] = useState(false);
  const { data, refusal, reload } = useGraphqlQuery(InvitationsDocument, {
    first: MAX_INVITATIONS,
    offset: 0,
  });
  useReloadOnChange('svc.user.invitation', reload);
  const close = () => {
    setInviting(false);
    reload();
  };
  return (
    <Screen
      title={adminWords.invitations}
      needs="userInvite"
      measure="middle"
      actions={
        <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
          {adminWords.invite}
        </Button>
      }
    >
      <p>
        <Link to="/admin/users" search={{}}>
          ‹ {adminWords.users}
        </Link>
      </p>
      <p className="quiet small">
        <Seats key={data?.userInvitations.totalCount} />
      </p>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data?.userInvitations.totalCount === 0 && (
        <EmptyState title={adminWords.noInvitations}>
          <p>{adminWords.inviteText}</p>
        </EmptyState>
      )}
      <ul className="op-cards">
        {data?.userInvitations.nodes.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} reload={reload} />
        ))}
      </ul>
      {isInviting && <Invite onClose={close} />}
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
  const [isRevoking, setRevoking] = useState(false);
  const isOpen = state === 'WAITING' || state === 'EXPIRED';
  const resend = () =>
    act(async () => {
      await runMutation(InvitationResendDocument, { id });
      showToast(adminWords.invited(email));
      reload();
    });
  const revoke = () =>
    act(async () => {
      await runMutation(InvitationRevokeDocument, { id });
      showToast(adminWords.invitationRevoked(email));
      reload();
    });
  return (
    <li className="card">
      <div>
        <strong>{email}</strong> {name && <span className="quiet">{name}</span>}{' '}
        <StatusBadge tone={TONES[state]}>{adminWords.invitationStates[state]}</StatusBadge>
        <p className="quiet small">
          <time dateTime={sentAt} title={formatInstant(sentAt)}>
            {adminWords.sentOn(formatWhen(sentAt))}
          </time>
          {mailCount > 1 && ` · ${formatCount(mailCount, adminWords.mails)}`}
          {state === 'WAITING' && ` · ${adminWords.worksUntil(formatInstant(expiresAt))}`}
        </p>
      </div>
      {isOpen && (
        <div className="buttons">
          <Button isBusy={isBusy} onClick={resend} aria-label={adminWords.resendOf(email)}>
            {adminWords.resend}
          </Button>
          <Button onClick={() => setRevoking(true)} aria-label={adminWords.revokeOf(email)}>
            {adminWords.revoke}
          </Button>
        </div>
      )}
      {isRevoking && (
        <Confirm
          title={adminWords.revokeTitle(email)}
          yes={adminWords.revoke}
          no={shellWords.cancel}
          onYes={revoke}
          onClose={() => setRevoking(false)}
        >
          <p>{adminWords.revokeText}</p>
        </Confirm>
      )}
    </li>
  );
}
