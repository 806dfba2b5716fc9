import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRows } from '../../graphql/use-rows.ts';
import { formatCount, formatInstant, formatNumber, formatWhen } from '../../i18n/format.ts';
import { LoadError } from '../../shell/screen.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { usePoll } from '../../shell/use-poll.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ROW_HEIGHTS, useViewPreferences } from '../../ui/view-preferences.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { emailStrings } from '../strings.ts';
import { CALL_STATUSES } from './address.ts';
import { toEventName } from './event-types.ts';
import { type WebhookCallFactsFragment, WebhookCallsDocument } from './generated.ts';
import { CALL_TONES } from './status.ts';
import { webhookStrings } from './strings.ts';

export function WebhookCalls({ webhook, onEnded }: { webhook: string; onEnded(): void }) {
  const { status } = useSearch({ from: '/email/webhooks/$id' });
  const navigate = useNavigate({ from: '/email/webhooks/$id' });
  const { density } = useViewPreferences();
  const [active, setActive] = useState(0);
  const { total, refusal, row, look, reload } = useRows(
    WebhookCallsDocument,
    { webhook, status: status && [status] },
    ({ webhookCalls }) => webhookCalls,
  );
  const isOpen = ['PENDING', 'IN_PROGRESS'].includes(row(0)?.status ?? '');
  usePoll(isOpen, () => {
    reload();
    onEnded();
  });
  const open = (index: number) => {
    const call = row(index);
    if (call)
      void navigate({ to: '/email/webhooks/$id/calls/$call', params: { id: webhook, call: call.id } });
  };
  const filterByStatus = (next: string) => {
    setActive(0);
    void navigate({ search: { status: CALL_STATUSES.find((callStatus) => callStatus === next) } });
  };
  return (
    <section className="webhook-calls">
      <header>
        <h2>{webhookStrings.calls}</h2>
        <span className="quiet small" role="status">
          {total === null ? shellStrings.loading : formatCount(total, webhookStrings.count)}
        </span>
        <span className="grow" />
        <Select
          label={emailStrings.status}
          value={status ?? ''}
          options={[
            ['', emailStrings.all],
            ...CALL_STATUSES.map(
              (callStatus) => [callStatus, webhookStrings.callStatuses[callStatus]] as const,
            ),
          ]}
          onChange={({ target }) => filterByStatus(target.value)}
        />
      </header>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!refusal && total === 0 && (
        <EmptyState title={status ? webhookStrings.noMatchingCalls : webhookStrings.noCalls}>
          {status ? (
            <Button onClick={() => filterByStatus('')}>{webhookStrings.showAll}</Button>
          ) : (
            <p>{webhookStrings.noCallsText}</p>
          )}
        </EmptyState>
      )}
      {!refusal && total !== null && total > 0 && (
        <div className="card">
          <VirtualList
            label={webhookStrings.calls}
            count={total}
            rowHeight={ROW_HEIGHTS[density]}
            active={active}
            selected={-1}
            onActive={setActive}
            onOpen={open}
            onRange={look}
            renderRow={(index) => {
              const call = row(index);
              return call && <CallRow call={call} />;
            }}
          />
        </div>
      )}
    </section>
  );
}

const CallRow = ({ call }: { call: WebhookCallFactsFragment }) => (
  <div className="call-row">
    <StatusBadge tone={CALL_TONES[call.status]}>{webhookStrings.callStatuses[call.status]}</StatusBadge>
    <span>{toEventName(call.type)}</span>
    <span className="quiet small">{formatOutcome(call)}</span>
    <time className="quiet small" dateTime={call.createdAt} title={formatInstant(call.createdAt)}>
      {formatWhen(call.createdAt)}
    </time>
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
