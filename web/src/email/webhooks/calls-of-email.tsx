import './webhooks.css';
import { Link } from '@tanstack/react-router';
import { change } from '../../graphql/client.ts';
import { counted, formatInstant } from '../../i18n/format.ts';
import { useAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { usePoll } from '../../shell/poll.ts';
import { Failed } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { say } from '../../ui/toasts.tsx';
import { eventName } from './event-types.ts';
import { CallsOfEmailDocument, type CallsOfEmailQuery, WebhookRedeliverDocument } from './generated.ts';
import { CALL_TONES } from './status.ts';
import { webhookWords } from './words.ts';

type Call = NonNullable<NonNullable<CallsOfEmailQuery['email']>['webhookCalls']>[number];

const isUnderWay = ({ status }: Call): boolean => status === 'PENDING' || status === 'IN_PROGRESS';

/** What webhooks were told of an email, and how each took it. */
export function CallsOfEmail({ id }: { id: string }) {
  const { data, refusal, reload } = useAnswer(CallsOfEmailDocument, { id });
  const calls = data?.email?.webhookCalls ?? [];
  usePoll(calls.some(isUnderWay), reload);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  if (calls.length === 0)
    return (
      <Empty title={webhookWords.noneOfEmail}>
        <p>{webhookWords.noneOfEmailText}</p>
        <p>
          <Link to="/email/webhooks">{webhookWords.title}</Link>
        </p>
      </Empty>
    );
  return (
    <ul className="calls-of-email">
      {calls.map((call) => (
        <CallOfEmail key={call.id} call={call} reload={reload} />
      ))}
    </ul>
  );
}

function CallOfEmail({ call, reload }: { call: Call; reload(): void }) {
  const { id, type, status, webhook, createdAt } = call;
  const { can } = useViewer();
  const { isBusy, act } = useAct();
  const again = () =>
    act(async () => {
      await change(WebhookRedeliverDocument, { id });
      say(webhookWords.calledAgain);
      reload();
    });
  return (
    <li>
      <StatusBadge tone={CALL_TONES[status]}>{webhookWords.callStatuses[status]}</StatusBadge>
      {webhook ? (
        <Link to="/email/webhooks/$id/calls/$call" params={{ id: webhook.id, call: id }}>
          {eventName(type)}
        </Link>
      ) : (
        <span>{eventName(type)}</span>
      )}
      <time className="quiet small" dateTime={createdAt}>
        {formatInstant(createdAt)}
      </time>
      <p className="quiet small">{[webhook?.url, outcome(call)].filter(Boolean).join(' · ')}</p>
      {!isUnderWay(call) && can.has('webhookRedeliver') && (
        <Button
          icon="refresh"
          isBusy={isBusy}
          aria-label={`${webhookWords.again}: ${eventName(type)}`}
          onClick={again}
        >
          {webhookWords.again}
        </Button>
      )}
    </li>
  );
}

/** What came back, with which attempt, and when the next one is. */
const outcome = ({ status, attempt, responseStatus, lastError, nextAttemptAt }: Call): string =>
  [
    responseStatus ?? lastError,
    attempt > 0 && counted(attempt, webhookWords.attempts),
    status === 'PENDING' && attempt > 0 && webhookWords.nextAttempt(formatInstant(nextAttemptAt)),
  ]
    .filter(Boolean)
    .join(' · ');
