import './mail.css';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { formatNumber } from '../i18n/format.ts';
import { LoadStatus } from '../shell/loading.tsx';
import { Screen } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { isFeatureOn, type MailState } from './address.ts';
import { openComposer } from './composers.ts';
import { Composers } from './composers-host.tsx';
import { getLocationName } from './folder-tree.tsx';
import { MailboxesDocument } from './generated.ts';
import { findLocation, type MailLocation } from './mail-location.ts';
import { OpenLocation } from './open-location.tsx';
import { mailStrings } from './strings.ts';

/** Redirects `/mail` to the first mailbox's Inbox. */
export function FirstMailbox() {
  const { data, refusal, reload } = useGraphqlQuery(MailboxesDocument, {});
  const first = data?.mailState.accounts[0];
  if (first)
    return <Navigate to="/mail/$mailbox/$folder" params={{ mailbox: first.id, folder: 'inbox' }} replace />;
  return (
    <Screen title={mailStrings.mail}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && <EmptyState title={mailStrings.noMailbox} text={mailStrings.noMailboxText} />}
    </Screen>
  );
}

/** Redirects a mailbox without a folder to its Inbox. */
export function InboxRedirect() {
  const { mailbox } = useParams({ from: '/mail/$mailbox' });
  return <Navigate to="/mail/$mailbox/$folder" params={{ mailbox, folder: 'inbox' }} replace />;
}

/** Opens a composer from URL parameters, in front of the Inbox. */
export function ComposePage() {
  const { to, subject, draft } = useSearch({ from: '/mail/compose' });
  useEffect(() => {
    openComposer(draft ? { kind: 'draft', id: String(draft) } : { kind: 'new', to, subject }, 'full');
  }, [to, subject, draft]);
  return <FirstMailbox />;
}

export function Mail() {
  const { mailbox = '', folder = 'label', label } = useParams({ strict: false });
  const { data, refusal, reload } = useGraphqlQuery(MailboxesDocument, {});
  const state = data?.mailState;
  const location = state && findLocation(state, mailbox, folder, label);
  const account = state?.accounts.find(({ id }) => id === mailbox);
  useTitle(location, account?.email);
  const isOff = location && isUnavailable(location, state);
  return (
    <Screen title={location ? getLocationName(location) : mailStrings.mail} isFull>
      {!state && <LoadStatus refusal={refusal} onAgain={reload} />}
      {state && (!location || isOff) && (
        <EmptyState title={isOff ? mailStrings.listDisabled : mailStrings.folderNotFound}>
          {isOff && <p>{mailStrings.listDisabledText}</p>}
          <Link to="/mail">{mailStrings.goToInbox}</Link>
        </EmptyState>
      )}
      {state && location && !isOff && (
        <OpenLocation
          key={`${mailbox}/${location.name}`}
          location={location}
          state={state}
          onChange={reload}
        />
      )}
      {state && <Composers state={state} mailbox={location?.folder.accountId ?? mailbox} onChange={reload} />}
    </Screen>
  );
}

/** True if the list needs a feature that is turned off. */
const isUnavailable = ({ kind, within }: MailLocation, state: MailState): boolean =>
  (kind === 'all' && !state.unifiedInbox) || (within !== null && !isFeatureOn(state, 'mail.search'));

/** Shows the mailbox and its unread count in the tab's title. */
function useTitle(location: MailLocation | undefined, email: string | undefined): void {
  const { workspace } = useViewer();
  useEffect(() => {
    if (!location) return;
    const waiting = location.kind === 'folder' ? location.folder.unread : 0;
    const unread = waiting > 0 ? `(${formatNumber(waiting)}) ` : '';
    document.title = `${unread}${getLocationName(location)} · ${email ?? workspace.name} · Atrium`;
  }, [location, email, workspace.name]);
}
