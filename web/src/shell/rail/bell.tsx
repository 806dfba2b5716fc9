import './bell.css';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../i18n/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { shellStrings } from '../strings.ts';
import { useLiveQuery } from '../use-graphql-query.ts';
import { BellDocument } from './generated.ts';
import { useWaitingCount } from './waiting-count.tsx';

/** Counts unread notifications and pending agent actions, and updates the count live. */
export function Bell() {
  const { data } = useLiveQuery(BellDocument, {}, 'svc.notification');
  const unread = data?.notifications.totalCount ?? 0;
  const waitingCount = useWaitingCount();
  const count = unread + waitingCount;
  const label = [
    unread > 0 ? formatCount(unread, shellStrings.unread) : shellStrings.pages.notifications,
    ...(waitingCount > 0 ? [formatCount(waitingCount, shellStrings.pendingActions)] : []),
  ].join(', ');
  return (
    <Link
      to="/profile/notifications"
      className={count > 0 ? 'rail-item bell rings' : 'rail-item bell'}
      activeOptions={{ exact: true }}
      aria-label={label}
      title={label}
    >
      <Icon name="bell" />
      {/* CSS adds these texts, because the accessible name has no soft hyphens and two separate counts. */}
      <span className="rail-label" data-shown={shellStrings.notifications} />
      {count > 0 && <span className="bell-count" data-shown={count > 99 ? '99+' : count} />}
    </Link>
  );
}
