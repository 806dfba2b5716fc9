import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation, runUncachedQuery } from '../../graphql/client.ts';
import { ConfirmButton } from '../../shell/dialogs/confirm.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailStrings } from '../strings.ts';
import {
  WebhookDeleteDocument,
  type WebhookFactsFragment,
  WebhookRotateDocument,
  WebhookSecretDocument,
  WebhookSwitchDocument,
  WebhookTestDocument,
} from './generated.ts';
import { webhookStrings } from './strings.ts';
import { WebhookForm } from './webhook-form.tsx';

interface WebhookActionsProps {
  webhook: WebhookFactsFragment;
  reload(): void;
}

/** A signing secret, which the browser keeps in memory only while it is shown. */
interface RevealedSecret {
  title: string;
  value: string;
}

export function WebhookActions({ webhook, reload }: WebhookActionsProps) {
  const { can } = useViewer();
  const [isChanging, setIsChanging] = useState(false);
  const [secret, setSecret] = useState<RevealedSecret>();
  const { isBusy, test, setStatus, reveal, rotate, remove } = useWebhookMutations(webhook, setSecret);
  const isActive = webhook.status === 'ACTIVE';
  return (
    <div className="buttons">
      {can.has('webhookTest') && isActive && (
        <Button icon="send" isBusy={isBusy} onClick={test}>
          {webhookStrings.test}
        </Button>
      )}
      {can.has('webhookUpdate') && (
        <>
          <Button icon="pen" onClick={() => setIsChanging(true)}>
            {webhookStrings.edit}
          </Button>
          <Button isBusy={isBusy} onClick={() => setStatus(isActive ? 'PAUSED' : 'ACTIVE')}>
            {isActive ? webhookStrings.pause : webhookStrings.resume}
          </Button>
        </>
      )}
      {can.has('webhookSecret') && (
        <Button isBusy={isBusy} onClick={reveal}>
          {webhookStrings.showSecret}
        </Button>
      )}
      {can.has('webhookRotate') && (
        <ConfirmButton
          icon="key"
          label={webhookStrings.rotate}
          title={webhookStrings.rotateTitle}
          text={webhookStrings.rotateText}
          onYes={rotate}
        />
      )}
      {can.has('webhookDelete') && (
        <ConfirmButton
          icon="trash"
          label={emailStrings.delete}
          title={webhookStrings.deleteTitle}
          text={webhookStrings.deleteText}
          onYes={remove}
        />
      )}
      {isChanging && <WebhookForm webhook={webhook} onClose={() => setIsChanging(false)} onSaved={reload} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </div>
  );
}

const SecretDialog = ({ secret, onClose }: { secret: RevealedSecret; onClose(): void }) => (
  <Dialog title={secret.title} onClose={onClose}>
    <SecretOnce secret={secret.value} warning={webhookStrings.secretShown} />
    <DialogButtons onClose={onClose} />
  </Dialog>
);

function useWebhookMutations({ id, url }: WebhookFactsFragment, onSecret: (secret: RevealedSecret) => void) {
  const navigate = useNavigate();
  const { isBusy, act } = useAction();
  return {
    isBusy,
    test: () =>
      act(async () => {
        const call = (await runMutation(WebhookTestDocument, { id })).webhookTest.id;
        await navigate({ to: '/email/webhooks/$id/calls/$call', params: { id, call } });
      }),
    setStatus: (status: 'ACTIVE' | 'PAUSED') =>
      act(async () => {
        await runMutation(WebhookSwitchDocument, { id, status });
        showToast(webhookStrings.meanings[status]);
      }),
    reveal: () =>
      act(async () => {
        const { webhookSecret } = await runUncachedQuery(WebhookSecretDocument, { id });
        onSecret({ title: webhookStrings.secret, value: webhookSecret });
      }),
    rotate: async () => {
      const { webhookRotate } = await runMutation(WebhookRotateDocument, { id });
      onSecret({ title: webhookStrings.newSecret, value: webhookRotate.secret });
    },
    remove: async () => {
      await runMutation(WebhookDeleteDocument, { id });
      showToast(emailStrings.deleted(url));
      await navigate({ to: '/email/webhooks' });
    },
  };
}
