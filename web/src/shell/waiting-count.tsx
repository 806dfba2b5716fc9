import { useFresh } from '../graphql/live.ts';
import { counted, formatNumber } from '../i18n/format.ts';
import { useAnswer } from './answer.ts';
import { HeldWaitingDocument } from './generated.ts';
import { shellWords } from './words.ts';

/** How many actions of agents wait for a person; nothing where none does. */
export function WaitingCount() {
  const { data, reload } = useAnswer(HeldWaitingDocument, {});
  useFresh('svc.agent.held', reload);
  const count = data?.heldActions.totalCount ?? 0;
  if (count === 0) return null;
  return (
    <span className="page-count">
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="sr">, {counted(count, shellWords.waiting)}</span>
    </span>
  );
}
