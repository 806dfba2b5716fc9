import { formatCount, formatNumber } from '../../i18n/format.ts';
import { HeldWaitingDocument } from '../generated.ts';
import { shellStrings } from '../strings.ts';
import { useLiveQuery } from '../use-graphql-query.ts';

/** Returns the number of pending agent actions, updated live. */
export function useWaitingCount(): number {
  const { data } = useLiveQuery(HeldWaitingDocument, {}, 'svc.agent.held');
  return data?.heldActions.totalCount ?? 0;
}

/** Shows the number of pending agent actions, if any. */
export function WaitingCount({ className = 'page-count' }: { className?: string }) {
  const count = useWaitingCount();
  if (count === 0) return null;
  return (
    <span className={className}>
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="sr">, {formatCount(count, shellStrings.pendingCount)}</span>
    </span>
  );
}
