import './webhooks.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation, runUncachedQuery } from '../../graphql/client.ts';
import { formatInstant, formatNumber } from '../../i18n/format.ts';
import { Confirm } from '../../shell/dialogs/confirm.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Loading } from '../../shell/loading.tsx';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailStrings } from '../strings.ts';
import { toEventName } from './event-types.ts';
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
import { webhookStrings } from './strings.ts';
import { WebhookCalls } from './webhook-calls.tsx';
import { WebhookForm } from './webhook-form.tsx';

export function WebhookPage() {
  const { id } = useParams({ from: '/email/webhooks/$id' });
  const { data, refusal, reload } = useGraphqlQuery(WebhookDocument, { id });
  const webhook = data?.webhook;
  return (
    <Screen
      title={webhook ? new URL(webhook.url).host : webhookStrings.webhook}
      needs="webhooks"
      actions={webhook && <WebhookActions webhook={webhook} reload={reload} />}
    >
      <p>
        <Link to="/email/webhooks">‹ {webhookStrings.title}</Link>
      </p>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <Loading />}
      {data && !webhook && <EmptyState title={webhookStrings.webhookNotFound} />}
      {webhook && (
        <>
          <WebhookDetails webhook={webhook} />
          <WebhookCalls webhook={id} onEnded={reload} />
        </>
      )}
    </Screen>
  );
}

const WebhookDetails = ({ webhook }: { webhook: WebhookFactsFragment }) => (
  <div className="webhook-facts">
    <p>
      <StatusBadge tone={WEBHOOK_TONES[webhook.status]}>
        {webhookStrings.statuses[webhook.status]}
      </StatusBadge>{' '}
      {webhookStrings.meanings[webhook.status]}
    </p>
    <dl>
      <dt>{webhookStrings.url}</dt>
      <dd>
        <code>{webhook.url}</code>
      </dd>
      {webhook.description && (
        <>
          <dt>{webhookStrings.note}</dt>
          <dd>{webhook.description}</dd>
        </>
      )}
      <dt>{webhookStrings.events}</dt>
      <dd>
        {webhook.eventTypes.length === 0
          ? webhookStrings.allEvents
          : webhook.eventTypes.map(toEventName).join(', ')}
      </dd>
      <dt>{webhookStrings.domains}</dt>
      <dd>{webhook.domains.map(({ name }) => name).join(', ') || emailStrings.allDomains}</dd>
      {webhook.failures > 0 && (
        <>
          <dt>{webhookStrings.failures}</dt>
          <dd>{formatNumber(webhook.failures)}</dd>
        </>
      )}
      <dt>{webhookStrings.created}</dt>
      <dd>{formatInstant(webhook.createdAt)}</dd>
    </dl>
  </div>
);

type DialogName = 'change' | 'rotate' | 'delete';

/** A signing secret, which exists in the browser only while it is shown. */
interface RevealedSecret {
  title: string;
  value: string;
}

function WebhookActions({ webhook, reload }: { webhook: WebhookFactsFragment; reload(): void }) {
  const { id, url, status } = webhook;
  const { can } = useViewer();
  const navigate = useNavigate();
  const { isBusy, act } = useAction();
  const [openDialog, setOpenDialog] = useState<DialogName>();
  const [secret, setSecret] = useState<RevealedSecret>();
  const close = () => setOpenDialog(undefined);
  const test = () =>
    act(async () => {
      const call = (await runMutation(WebhookTestDocument, { id })).webhookTest.id;
      await navigate({ to: '/email/webhooks/$id/calls/$call', params: { id, call } });
    });
  const setStatus = (next: 'ACTIVE' | 'PAUSED') =>
    act(async () => {
      await runMutation(WebhookSwitchDocument, { id, status: next });
      showToast(webhookStrings.meanings[next]);
    });
  const rotate = () =>
    act(async () => {
      const { webhookRotate } = await runMutation(WebhookRotateDocument, { id });
      setSecret({ title: webhookStrings.newSecret, value: webhookRotate.secret });
    });
  const reveal = () =>
    act(async () => {
      const { webhookSecret } = await runUncachedQuery(WebhookSecretDocument, { id });
      setSecret({ title: webhookStrings.secret, value: webhookSecret });
    });
  const remove = () =>
    act(async () => {
      await runMutation(WebhookDeleteDocument, { id });
      showToast(emailStrings.domainDeleted(url));
      await navigate({ to: '/email/webhooks' });
    });
  return (
    <div className="buttons">
      {can.has('webhookTest') && status === 'ACTIVE' && (
        <Button icon="send" isBusy={isBusy} onClick={test}>
          {webhookStrings.test}
        </Button>
      )}
      {can.has('webhookUpdate') && (
        <>
          <Button icon="pen" onClick={() => setOpenDialog('change')}>
            {webhookStrings.edit}
          </Button>
          <Button isBusy={isBusy} onClick={() => setStatus(status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE')}>
            {status === 'ACTIVE' ? webhookStrings.pause : webhookStrings.resume}
          </Button>
        </>
      )}
      {can.has('webhookSecret') && (
        <Button isBusy={isBusy} onClick={reveal}>
          {webhookStrings.showSecret}
        </Button>
      )}
      {can.has('webhookRotate') && (
        <Button icon="key" onClick={() => setOpenDialog('rotate')}>
          {webhookStrings.rotate}
        </Button>
      )}
      {can.has('webhookDelete') && (
        <Button icon="trash" onClick={() => setOpenDialog('delete')}>
          {emailStrings.delete}
        </Button>
      )}
      {openDialog === 'change' && <WebhookForm webhook={webhook} onClose={close} onSaved={reload} />}
      {openDialog === 'rotate' && (
        <Confirm
          title={webhookStrings.rotateTitle}
          yes={webhookStrings.rotate}
          onYes={rotate}
          onClose={close}
        >
          <p>{webhookStrings.rotateText}</p>
        </Confirm>
      )}
      {openDialog === 'delete' && (
        <Confirm title={webhookStrings.deleteTitle} yes={emailStrings.delete} onYes={remove} onClose={close}>
          <p>{webhookStrings.deleteText}</p>
        </Confirm>
      )}
      {secret && (
        <Dialog title={secret.title} onClose={() => setSecret(undefined)}>
          <SecretOnce
            secret={secret.value}
            warning={webhookStrings.secretShown}
            copy={shellStrings.copy}
            copied={shellStrings.copied}
          />
          <DialogButtons onClose={() => setSecret(undefined)} />
        </Dialog>
      )}
    </div>
  );
}
