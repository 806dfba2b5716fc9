import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRows } from '../../graphql/use-rows.ts';
import { formatCount, formatNumber } from '../../i18n/format.ts';
import { LoadedRows } from '../../shell/rows/loaded-rows.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { usePoll } from '../../shell/use-poll.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Timestamp } from '../../ui/layout/timestamp.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { emailStrings } from '../strings.ts';
import { CALL_STATUSES } from './address.ts';
import { toEventName } from './event-types.ts';
import { type WebhookCallFactsFragment, type WebhookCallStatus, WebhookCallsDocument } from './generated.ts';
import { CALL_TONES } from './status.ts';
import { webhookStrings } from './strings.ts';

export function WebhookCalls({ webhook, onEnded }: { webhook: string; onEnded(): void }) {
  const { status } = useSearch({ from: '/email/webhooks/$id' });
  const navigate = useNavigate({ from: '/email/webhooks/$id' });
  const [active, setActive] = useState(0);
  const rows = useRows(
    WebhookCallsDocument,
    { webhook, status: status && [status] },
    ({ webhookCalls }) => webhookCalls,
  );
  const isOpen = ['PENDING', 'IN_PROGRESS'].includes(rows.row(0)?.status ?? '');
  usePoll(isOpen, () => {
    rows.reload();
    onEnded();
  });
  const open = (index: number) => {
    const call = rows.row(index);
    if (call)
      void navigate({ to: '/email/webhooks/$id/calls/$call', params: { id: webhook, call: call.id } });
  };
  const filterByStatus = (next: WebhookCallStatus | undefined) => {
    setActive(0);
    void navigate({ search: { status: next } });
  };
  return (
    <section className="list-section">
      <header>
        <h2>{webhookStrings.calls}</h2>
        <span className="quiet small" role="status">
          {rows.total === null ? shellStrings.loading : formatCount(rows.total, webhookStrings.callCount)}
        </span>
        <span className="grow" />
        <FilterSelect
          label={emailStrings.status}
          choices={CALL_STATUSES}
          labels={webhookStrings.callStatuses}
          value={status}
          onChoose={filterByStatus}
        />
      </header>
      <LoadedRows
        label={webhookStrings.calls}
        isCard
        rows={rows}
        active={active}
        onActive={setActive}
        onOpen={open}
        none={
          <EmptyState title={status ? webhookStrings.noMatchingCalls : webhookStrings.noCalls}>
            {status ? (
              <Button onClick={() => filterByStatus(undefined)}>{webhookStrings.showAll}</Button>
            ) : (
              <p>{webhookStrings.noCallsText}</p>
            )}
          </EmptyState>
        }
        renderRow={(call) => <CallRow call={call} />}
      />
    </section>
  );
}

const CallRow = ({ call }: { call: WebhookCallFactsFragment }) => (
  <div className="list-row call-row">
    <StatusBadge tone={CALL_TONES[call.status]}>{webhookStrings.callStatuses[call.status]}</StatusBadge>
    <span>{toEventName(call.type)}</span>
    <span className="quiet small">{formatOutcome(call)}</span>
    <Timestamp at={call.createdAt} />
  </div>
);

const formatOutcome = ({
  responseStatus,
  responseMs,
  lastError,
  attempt,
}: WebhookCallFactsFragment): string =>
  [
    responseStatus ?? lastError,
    responseMs !== null && webhookStrings.milliseconds(formatNumber(responseMs)),
    attempt > 0 && formatCount(attempt, webhookStrings.attempts),
  ]
    .filter(Boolean)
    .join(' · ');
