import { useFresh } from '../../../graphql/live.ts';
import { counted, formatDate, formatNumber } from '../../../i18n/format.ts';
import { useAnswer } from '../../../shell/answer.ts';
import { Failed } from '../../../shell/screen.tsx';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { operationWords } from '../words.ts';
import { type AuditGrouping, type AuditView, auditAsked, NO_AUDIT_FILTERS } from './address.ts';
import { AuditCountsDocument, type AuditCountsQuery, type AuditCountsQueryVariables } from './generated.ts';

type Group = AuditCountsQuery['auditEventGroups'][number];

interface AuditCountedProps {
  view: AuditView;
  by: AuditGrouping;
  show(changes: AuditView): void;
}

/** How many events there are of each sort; each leads to its events. */
export function AuditCounted({ view, by, show }: AuditCountedProps) {
  const { data, refusal, reload } = useAnswer(AuditCountsDocument, {
    ...auditAsked(view),
    groupBy: [GROUP_BY[by]],
  });
  useFresh('svc.audit.event', reload);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const groups = [...data.auditEventGroups];
  // Days stand in their order, the newest first; all else the most frequent first.
  if (by === 'day') groups.reverse();
  else groups.sort((one, other) => other.count - one.count);
  const most = Math.max(1, ...groups.map(({ count }) => count));
  if (groups.length === 0)
    return (
      <Empty title={operationWords.noEventFits}>
        <Button onClick={() => show(NO_AUDIT_FILTERS)}>{operationWords.showAll}</Button>
      </Empty>
    );
  return (
    <ul className="audit-groups" aria-label={operationWords.groupings[by]}>
      {groups.map((group) => {
        const { name, narrowed } = groupOf(by, group);
        return (
          <li key={name}>
            <Button
              look="ghost"
              disabled={!narrowed}
              onClick={() => show({ ...narrowed, by: undefined, id: undefined })}
            >
              <span>{name}</span>
              <meter min={0} max={most} value={group.count} aria-hidden="true" />
              <span className="figures" aria-hidden="true">
                {formatNumber(group.count)}
              </span>
              <span className="sr">: {counted(group.count, operationWords.events)}</span>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

type GroupBy = AuditCountsQueryVariables['groupBy'] extends infer List
  ? List extends readonly (infer One)[]
    ? One
    : List
  : never;

const GROUP_BY: Record<AuditGrouping, GroupBy> = {
  event: { field: 'EVENT' },
  user: { field: 'USER' },
  door: { field: 'CHANNEL' },
  day: { field: 'CREATED_AT', by: 'DAY' },
};

/** What a group is called, and what shows its events; those without a user have no filter. Pure. */
function groupOf(by: AuditGrouping, { key }: Group): { name: string; narrowed: AuditView | null } {
  switch (by) {
    case 'event':
      return { name: key.event ?? '', narrowed: { event: key.event ?? undefined } };
    case 'user':
      return {
        name: key.user?.login ?? key.userId ?? operationWords.noUser,
        narrowed: key.userId ? { user: key.userId } : null,
      };
    case 'door': {
      const door = key.channel ?? '';
      return { name: operationWords.doors[door] ?? door, narrowed: { door } };
    }
    case 'day': {
      const day = key.createdAt?.from?.slice(0, 10) ?? '';
      return { name: day && formatDate(day), narrowed: { from: day, to: day } };
    }
  }
}
