import './webhooks.css';
import { Link } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { formatCount, formatInstant } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { usePoll } from '../../shell/use-poll.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { toEventName } from './event-types.ts';
import { CallsOfEmailDocument, type CallsOfEmailQuery, WebhookRedeliverDocument } from './generated.ts';
import { CALL_TONES } from './status.ts';
import { webhookStrings } from './strings.ts';

type Call = NonNullable<NonNullable<CallsOfEmailQuery['email']>['webhookCalls']>[number];

const isInProgress = ({ status }: Call): boolean => status === 'PENDING' || status === 'IN_PROGRESS';

export function EmailWebhookCalls({ id }: { id: string }) {
  const { data, refusal, reload } = useGraphqlQuery(CallsOfEmailDocument, { id });
  const calls = data?.email?.webhookCalls ?? [];
  usePoll(calls.some(isInProgress), reload);
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  if (calls.length === 0)
    return (
      <EmptyState title={webhookStrings.noCallsForEmail}>
        <p>{webhookStrings.noCallsForEmailText}</p>
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
  const { can } = useViewer();
  const { isBusy, act } = useAction();
  const redeliver = () =>
    act(async () => {
      await runMutation(WebhookRedeliverDocument, { id });
      showToast(webhookStrings.requeued);
      reload();
    });
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
      {!isInProgress(call) && can.has('webhookRedeliver') && (
        <Button
          icon="refresh"
          isBusy={isBusy}
          aria-label={`${webhookStrings.retry}: ${toEventName(type)}`}
          onClick={redeliver}
        >
          {webhookStrings.retry}
        </Button>
      )}
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
