import { ActionButton } from '../shell/action-buttons.tsx';
import './profile.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatCount } from '../i18n/format.ts';
import { useWaitingCount } from '../shell/rail/waiting-count.tsx';
import { LoadError, Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useLiveQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Timestamp } from '../ui/layout/timestamp.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { NotificationsDocument, type NotificationsQuery, NotificationsReadDocument } from './generated.ts';
import { profileStrings } from './strings.ts';

const PAGE_SIZE = 50;

export function Notifications() {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { data, refusal, reload } = useLiveQuery(NotificationsDocument, { first: limit }, 'svc.notification');
  const nodes = data?.notifications.nodes ?? [];
  const markRead = async (ids: string[] | null) => {
    await runMutation(NotificationsReadDocument, { ids });
    reload();
  };
  return (
    <Screen
      title={shellStrings.pages.notifications}
      actions={
        nodes.some(({ readAt }) => !readAt) && (
          <ActionButton onAct={() => markRead(null)}>{profileStrings.markAllRead}</ActionButton>
        )
      }
    >
      <WaitingActions />
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data && nodes.length === 0 && (
        <EmptyState title={profileStrings.noNotifications} text={profileStrings.noNotificationsText} />
      )}
      {nodes.length > 0 && (
        <div className="profile">
          <ul className="card item-rows">
            {nodes.map((node) => (
              <NotificationRow key={node.id} notification={node} onRead={() => markRead([node.id])} />
            ))}
          </ul>
          {limit < data!.notifications.totalCount && limit < 10 * PAGE_SIZE && (
            <div className="buttons">
              <Button onClick={() => setLimit(limit + PAGE_SIZE)}>{profileStrings.showOlder}</Button>
            </div>
          )}
        </div>
      )}
    </Screen>
  );
}

/** Links to the pending agent actions. They stay in the list until a person approves or rejects them. */
function WaitingActions() {
  const { can } = useViewer();
  const count = useWaitingCount();
  if (count === 0) return null;
  return (
    <p className="card">
      <Link to={can.has('featureSet') ? '/admin/agents/held' : '/profile/agents'}>
        {formatCount(count, profileStrings.actionsWaiting)}
      </Link>
    </p>
  );
}

interface NotificationProps {
  notification: NotificationsQuery['notifications']['nodes'][number];
  onRead(): Promise<void>;
}

function NotificationRow({ notification, onRead }: NotificationProps) {
  const { kind, outcome, title, details, readAt, createdAt } = notification;
  return (
    <li className={readAt ? undefined : 'is-unread'}>
      <div>
        <strong className="when-read">{title}</strong>
        {!readAt && <span className="sr">{profileStrings.unread}</span>}
        {details && <p>{details}</p>}
        <p className="quiet small">
          <StatusBadge tone={outcome === 'DONE' ? 'good' : 'bad'}>
            {profileStrings.workOutcomes[outcome]}
          </StatusBadge>{' '}
          · {profileStrings.kinds[kind]} · <Timestamp at={createdAt} />
        </p>
      </div>
      {!readAt && (
        <ActionButton look="ghost" onAct={onRead} aria-label={profileStrings.markReadNamed(title)}>
          {profileStrings.markRead}
        </ActionButton>
      )}
    </li>
  );
}
