import './webhooks.css';
import { Link } from '@tanstack/react-router';
import { formatCount, formatInstant } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { usePoll } from '../../shell/use-poll.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { toEventName } from './event-types.ts';
import { CallsOfEmailDocument, type CallsOfEmailQuery } from './generated.ts';
import { isInProgress, RedeliverButton } from './redeliver-button.tsx';
import { CALL_TONES } from './status.ts';
import { webhookStrings } from './strings.ts';

type Call = NonNullable<NonNullable<CallsOfEmailQuery['email']>['webhookCalls']>[number];

export function EmailWebhookCalls({ id }: { id: string }) {
  const { data, refusal, reload } = useGraphqlQuery(CallsOfEmailDocument, { id });
  const calls = data?.email?.webhookCalls ?? [];
  usePoll(calls.some(isInProgress), reload);
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  if (calls.length === 0)
    return (
      <EmptyState title={webhookStrings.noCallsForEmail} text={webhookStrings.noCallsForEmailText}>
        <p>
          <Link to="/email/webhooks">{webhookStrings.title}</Link>
        </p>
      </EmptyState>
    );
  return (
    <ul className="calls-of-email">
      {calls.map((call) => (
        <EmailWebhookCall key={call.id} call={call} reload={reload} />
      ))}
    </ul>
  );
}

function EmailWebhookCall({ call, reload }: { call: Call; reload(): void }) {
  const { id, type, status, webhook, createdAt } = call;
  return (
    <li>
      <StatusBadge tone={CALL_TONES[status]}>{webhookStrings.callStatuses[status]}</StatusBadge>
      {webhook ? (
        <Link to="/email/webhooks/$id/calls/$call" params={{ id: webhook.id, call: id }}>
          {toEventName(type)}
        </Link>
      ) : (
        <span>{toEventName(type)}</span>
      )}
      <time className="quiet small" dateTime={createdAt}>
        {formatInstant(createdAt)}
      </time>
      <p className="quiet small">{[webhook?.url, formatOutcome(call)].filter(Boolean).join(' · ')}</p>
      <RedeliverButton call={call} reload={reload} />
    </li>
  );
}

const formatOutcome = ({ status, attempt, responseStatus, lastError, nextAttemptAt }: Call): string =>
  [
    responseStatus ?? lastError,
    attempt > 0 && formatCount(attempt, webhookStrings.attempts),
    status === 'PENDING' && attempt > 0 && webhookStrings.nextAttempt(formatInstant(nextAttemptAt)),
  ]
    .filter(Boolean)
    .join(' · ');
