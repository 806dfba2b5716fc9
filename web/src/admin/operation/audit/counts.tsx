import { formatCount, formatDate, formatNumber } from '../../../i18n/format.ts';
import { LoadStatus } from '../../../shell/loading.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { operationStrings } from '../strings.ts';
import { type AuditGrouping, type AuditView, NO_AUDIT_FILTERS, toAuditFilter } from './address.ts';
import { AuditCountsDocument, type AuditCountsQuery, type AuditCountsQueryVariables } from './generated.ts';

type Group = AuditCountsQuery['auditEventGroups'][number];

interface AuditCountsProps {
  view: AuditView;
  by: AuditGrouping;
  show(changes: AuditView): void;
}

/** Shows the number of events per group. Each number links to the group's events. */
export function AuditCounts({ view, by, show }: AuditCountsProps) {
  const { data, refusal, reload } = useLiveQuery(
    AuditCountsDocument,
    {
      where: toAuditFilter(view),
      groupBy: [GROUP_BY[by]],
    },
    'svc.audit.event',
  );
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const groups = [...data.auditEventGroups];
  // Days are sorted newest first, and other groups by descending count.
  if (by === 'day') groups.reverse();
  else groups.sort((a, b) => b.count - a.count);
  const highest = Math.max(1, ...groups.map(({ count }) => count));
  if (groups.length === 0)
    return (
      <EmptyState title={operationStrings.noMatchingEvents}>
        <Button onClick={() => show(NO_AUDIT_FILTERS)}>{operationStrings.showAll}</Button>
      </EmptyState>
    );
  return (
    <ul className="audit-groups" aria-label={operationStrings.groupings[by]}>
      {groups.map((group) => {
        const { name, narrowedView } = describeGroup(by, group);
        return (
          <li key={name}>
            <Button
              look="ghost"
              disabled={!narrowedView}
              onClick={() => show({ ...narrowedView, by: undefined, id: undefined })}
            >
              <span>{name}</span>
              <meter min={0} max={highest} value={group.count} aria-hidden="true" />
              <span className="figures" aria-hidden="true">
                {formatNumber(group.count)}
              </span>
              <span className="sr">: {formatCount(group.count, operationStrings.eventCount)}</span>
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
  channel: { field: 'CHANNEL' },
  day: { field: 'CREATED_AT', by: 'DAY' },
};

/** Returns a group's name and the filter for its events. The filter is null for events without a user. */
function describeGroup(by: AuditGrouping, { key }: Group): { name: string; narrowedView: AuditView | null } {
  switch (by) {
    case 'event':
      return { name: key.event ?? '', narrowedView: { event: key.event ?? undefined } };
    case 'user':
      return {
        name: key.user?.login ?? key.userId ?? operationStrings.noUser,
        narrowedView: key.userId ? { user: key.userId } : null,
      };
    case 'channel': {
      const channel = key.channel ?? '';
      return { name: operationStrings.channels[channel] ?? channel, narrowedView: { channel } };
    }
    case 'day': {
      const day = key.createdAt?.from?.slice(0, 10) ?? '';
      return { name: day && formatDate(day), narrowedView: { from: day, to: day } };
    }
  }
}
