import './webhooks.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { askSecret, change } from '../../graphql/client.ts';
import { formatInstant, formatNumber } from '../../i18n/format.ts';
import { useAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { say } from '../../ui/toasts.tsx';
import { emailWords } from '../words.ts';
import { WebhookCalls } from './calls.tsx';
import { eventName } from './event-types.ts';
import {
  WebhookDeleteDocument,
  WebhookDocument,
  type WebhookFactsFragment,
  WebhookRotateDocument,
  WebhookSecretDocument,
  WebhookSwitchDocument,
  WebhookTestDocument,
} from './generated.ts';
import { WEBHOOK_TONES } from './status.ts';
import { WebhookForm } from './webhook-form.tsx';
import { webhookWords } from './words.ts';

/** One webhook: what it is called with, and how its calls went. */
export function WebhookPage() {
  const { id } = useParams({ from: '/email/webhooks/$id' });
  const { data, refusal, reload } = useAnswer(WebhookDocument, { id });
  const webhook = data?.webhook;
  return (
    <Screen
      title={webhook ? new URL(webhook.url).host : webhookWords.webhook}
      needs="webhooks"
      measure="middle"
      actions={webhook && <Actions webhook={webhook} reload={reload} />}
    >
      <p>
        <Link to="/email/webhooks">‹ {webhookWords.title}</Link>
      </p>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && !webhook && <Empty title={webhookWords.noWebhook} />}
      {webhook && (
        <>
          <Facts webhook={webhook} />
          <WebhookCalls webhook={id} onEnded={reload} />
        </>
      )}
    </Screen>
  );
}

const Facts = ({ webhook }: { webhook: WebhookFactsFragment }) => (
  <div className="webhook-facts">
    <p>
      <StatusBadge tone={WEBHOOK_TONES[webhook.status]}>{webhookWords.statuses[webhook.status]}</StatusBadge>{' '}
      {webhookWords.meanings[webhook.status]}
    </p>
    <dl>
      <dt>{webhookWords.url}</dt>
      <dd>
        <code>{webhook.url}</code>
      </dd>
      {webhook.description && (
        <>
          <dt>{webhookWords.note}</dt>
          <dd>{webhook.description}</dd>
        </>
      )}
      <dt>{webhookWords.events}</dt>
      <dd>
        {webhook.eventTypes.length === 0
          ? webhookWords.allEvents
          : webhook.eventTypes.map(eventName).join(', ')}
      </dd>
      <dt>{webhookWords.domains}</dt>
      <dd>{webhook.domains.map(({ name }) => name).join(', ') || emailWords.allDomains}</dd>
      {webhook.failures > 0 && (
        <>
          <dt>{webhookWords.failures}</dt>
          <dd>{formatNumber(webhook.failures)}</dd>
        </>
      )}
      <dt>{webhookWords.created}</dt>
      <dd>{formatInstant(webhook.createdAt)}</dd>
    </dl>
  </div>
);

type Asked = 'change' | 'rotate' | 'delete';

/** A signing secret while it is shown: it is kept nowhere else. */
interface Secret {
  title: string;
  value: string;
}

function Actions({ webhook, reload }: { webhook: WebhookFactsFragment; reload(): void }) {
  const { id, url, status } = webhook;
  const { can } = useViewer();
  const navigate = useNavigate();
  const { isBusy, act } = useAct();
  const [asked, setAsked] = useState<Asked>();
  const [secret, setSecret] = useState<Secret>();
  const close = () => setAsked(undefined);
  const test = () =>
    act(async () => {
      const call = (await change(WebhookTestDocument, { id })).webhookTest.id;
      await navigate({ to: '/email/webhooks/$id/calls/$call', params: { id, call } });
    });
  const turn = (next: 'ACTIVE' | 'PAUSED') =>
    act(async () => {
      await change(WebhookSwitchDocument, { id, status: next });
      say(webhookWords.meanings[next]);
    });
  const rotate = () =>
    act(async () => {
      const { webhookRotate } = await change(WebhookRotateDocument, { id });
      setSecret({ title: webhookWords.newSecret, value: webhookRotate.secret });
    });
  const reveal = () =>
    act(async () => {
      const { webhookSecret } = await askSecret(WebhookSecretDocument, { id });
      setSecret({ title: webhookWords.secret, value: webhookSecret });
    });
  const remove = () =>
    act(async () => {
      await change(WebhookDeleteDocument, { id });
      say(emailWords.deleted(url));
      await navigate({ to: '/email/webhooks' });
    });
  return (
    <div className="buttons">
      {can.has('webhookTest') && status === 'ACTIVE' && (
        <Button icon="send" isBusy={isBusy} onClick={test}>
          {webhookWords.test}
        </Button>
      )}
      {can.has('webhookUpdate') && (
        <>
          <Button icon="pen" onClick={() => setAsked('change')}>
            {webhookWords.change}
          </Button>
          <Button isBusy={isBusy} onClick={() => turn(status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE')}>
            {status === 'ACTIVE' ? webhookWords.pause : webhookWords.resume}
          </Button>
        </>
      )}
      {can.has('webhookSecret') && (
        <Button isBusy={isBusy} onClick={reveal}>
          {webhookWords.showSecret}
        </Button>
      )}
      {can.has('webhookRotate') && (
        <Button icon="key" onClick={() => setAsked('rotate')}>
          {webhookWords.rotate}
        </Button>
      )}
      {can.has('webhookDelete') && (
        <Button icon="trash" onClick={() => setAsked('delete')}>
          {emailWords.delete}
        </Button>
      )}
      {asked === 'change' && <WebhookForm webhook={webhook} onClose={close} onSaved={reload} />}
      {asked === 'rotate' && (
        <Confirm
          title={webhookWords.rotateTitle}
          yes={webhookWords.rotate}
          no={shellWords.close}
          onYes={rotate}
          onClose={close}
        >
          <p>{webhookWords.rotateText}</p>
        </Confirm>
      )}
      {asked === 'delete' && (
        <Confirm
          title={webhookWords.deleteTitle}
          yes={emailWords.delete}
          no={shellWords.close}
          onYes={remove}
          onClose={close}
        >
          <p>{webhookWords.deleteText}</p>
        </Confirm>
      )}
      {secret && (
        <Dialog title={secret.title} onClose={() => setSecret(undefined)}>
          <SecretOnce
            secret={secret.value}
            warning={webhookWords.secretShown}
            copy={shellWords.copy}
            copied={shellWords.copied}
          />
          <div className="buttons">
            <Button onClick={() => setSecret(undefined)}>{shellWords.close}</Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
