import { BackLink } from '../../shell/back-link.tsx';
import './webhooks.css';
import { useParams } from '@tanstack/react-router';
import { formatInstant, formatNumber } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { usePoll } from '../../shell/use-poll.ts';
import { CopyValue } from '../../ui/copy-value.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout/facts.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { toEventName } from './event-types.ts';
import { WebhookCallDocument, type WebhookCallQuery } from './generated.ts';
import { isInProgress, RedeliverButton } from './redeliver-button.tsx';
import { CALL_TONES } from './status.ts';
import { webhookStrings } from './strings.ts';

type Call = NonNullable<WebhookCallQuery['webhookCall']>;

export function CallPage() {
  const { id, call: callId } = useParams({ from: '/email/webhooks/$id/calls/$call' });
  const { data, refusal, reload } = useGraphqlQuery(WebhookCallDocument, { id: callId });
  // A URL of one webhook must not show another webhook's call.
  const call = data?.webhookCall?.webhook?.id === id ? data.webhookCall : null;
  usePoll(call !== null && isInProgress(call), reload);
  return (
    <Screen
      title={call ? toEventName(call.type) : webhookStrings.call}
      actions={call && <RedeliverButton call={call} reload={reload} />}
    >
      <BackLink to="/email/webhooks/$id" params={{ id }}>
        {call?.webhook?.url ?? webhookStrings.webhook}
      </BackLink>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !call && <EmptyState title={webhookStrings.callNotFound} />}
      {call && <CallDetails call={call} />}
    </Screen>
  );
}

const CallDetails = ({ call }: { call: Call }) => (
  <div className="stack">
    <p role="status">
      <StatusBadge tone={CALL_TONES[call.status]}>{webhookStrings.callStatuses[call.status]}</StatusBadge>{' '}
      {call.status === 'PENDING' && call.attempt > 0
        ? webhookStrings.nextAttempt(formatInstant(call.nextAttemptAt))
        : webhookStrings.callMeanings[call.status]}
    </p>
    {call.lastError && <p className="error-note">{call.lastError}</p>}
    <Facts
      facts={[
        [webhookStrings.event, formatInstant(call.createdAt)],
        [webhookStrings.attemptList, formatNumber(call.attempt)],
        [webhookStrings.status, call.responseStatus],
        [
          webhookStrings.duration,
          call.responseMs !== null && webhookStrings.milliseconds(formatNumber(call.responseMs)),
        ],
        [webhookStrings.callId, <CopyValue key="id" value={call.callId} />],
      ]}
    />
    <section className="card measure" aria-label={webhookStrings.request}>
      <h2>{webhookStrings.request}</h2>
      {call.payload === null ? (
        <p className="quiet">{webhookStrings.notSentYet}</p>
      ) : (
        <pre className="sunk">{JSON.stringify(call.payload, null, 2)}</pre>
      )}
    </section>
    <section className="card measure" aria-label={webhookStrings.response}>
      <h2>{webhookStrings.response}</h2>
      {call.responseText ? (
        <pre className="sunk">{call.responseText}</pre>
      ) : (
        <p className="quiet">
          {call.responseStatus === null ? webhookStrings.noResponse : webhookStrings.emptyResponse}
        </p>
      )}
    </section>
  </div>
);
