import { useReloadOnChange } from '../graphql/live.ts';
import { formatCount, formatNumber } from '../i18n/format.ts';
import { HeldWaitingDocument } from './generated.ts';
import { shellStrings } from './strings.ts';
import { useGraphqlQuery } from './use-graphql-query.ts';

/** Number of agent actions that await approval. Renders nothing if there aren't any. */
export function WaitingCount() {
  const { data, reload } = useGraphqlQuery(HeldWaitingDocument, {});
  useReloadOnChange('svc.agent.held', reload);
  const count = data?.heldActions.totalCount ?? 0;
  if (count === 0) return null;
  return (
    <span className="page-count">
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="sr">, {formatCount(count, shellStrings.waiting)}</span>
    </span>
  );
}
