import './audit.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useLiveRows } from '../../../graphql/use-rows.ts';
import { formatCount } from '../../../i18n/format.ts';
import { RowList } from '../../../shell/rows/row-list.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Timestamp } from '../../../ui/layout/timestamp.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { operationStrings } from '../strings.ts';
import { type AuditView, NO_AUDIT_FILTERS, toAuditFilter } from './address.ts';
import { AuditCounts } from './counts.tsx';
import { AuditEventPanel } from './event.tsx';
import { AuditFilters } from './filters.tsx';
import { type AuditEventFactsFragment, AuditEventsDocument } from './generated.ts';

export function Audit() {
  const view = useSearch({ from: '/admin/audit' });
  const navigate = useNavigate({ from: '/admin/audit' });
  const isOpen = view.id !== undefined;
  // Makes the browser's Back button return to the list, regardless of how many entries were opened.
  const show = (changes: AuditView) =>
    void navigate({ search: (old) => ({ ...old, ...changes }), replace: isOpen && changes.id !== undefined });
  return (
    <Screen title={operationStrings.audit} isFull>
      <div className={isOpen ? 'split open' : 'split'}>
        <div className="split-list">
          <AuditFilters view={view} show={show} />
          {view.by ? (
            <AuditCounts view={view} by={view.by} show={show} />
          ) : (
            <AuditEventList view={view} show={show} />
          )}
        </div>
        {view.id && <AuditEventPanel key={view.id} id={view.id} show={show} />}
      </div>
    </Screen>
  );
}

function AuditEventList({ view, show }: { view: AuditView; show(changes: AuditView): void }) {
  const variables = { where: toAuditFilter(view) };
  const rows = useLiveRows(
    AuditEventsDocument,
    variables,
    ({ auditEvents }) => auditEvents,
    'svc.audit.event',
  );
  const { id: openId, ...filters } = view;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <RowList
      label={operationStrings.audit}
      variables={variables}
      rows={rows}
      openId={openId}
      onOpen={({ id }) => show({ id })}
      keys={operationStrings.keys}
      countText={(total) => formatCount(total, operationStrings.eventCount)}
      none={
        <EmptyState title={isFiltered ? operationStrings.noMatchingEvents : operationStrings.noEvents}>
          {isFiltered && <Button onClick={() => show(NO_AUDIT_FILTERS)}>{operationStrings.showAll}</Button>}
        </EmptyState>
      }
      renderRow={(event) => <EventRow event={event} />}
    />
  );
}

const EventRow = ({ event }: { event: AuditEventFactsFragment }) => (
  <div className="list-row audit-row">
    <StatusBadge tone={event.success ? 'good' : 'bad'}>
      {event.success ? operationStrings.results.done : operationStrings.results.refused}
    </StatusBadge>
    <code>{event.event}</code>
    <span className="audit-who">{event.user?.login ?? operationStrings.noUser}</span>
    <span className="audit-channel quiet">{operationStrings.channels[event.channel] ?? event.channel}</span>
    <Timestamp at={event.createdAt} />
  </div>
);
