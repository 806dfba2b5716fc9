import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation, runUncachedQuery } from '../../graphql/client.ts';
import { ActionButton, ConfirmButton, DialogOpener } from '../../shell/action-buttons.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
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

/** A signing secret, which the browser keeps in memory only while it is shown. */
interface RevealedSecret {
  title: string;
  value: string;
}

export function WebhookActions({ webhook, reload }: { webhook: WebhookFactsFragment; reload(): void }) {
  const [secret, setSecret] = useState<RevealedSecret>();
  const { test, setStatus, reveal, rotate, remove } = useWebhookMutations(webhook, setSecret);
  const isActive = webhook.status === 'ACTIVE';
  return (
    <div className="buttons">
      {isActive && (
        <ActionButton needs="webhookTest" icon="send" onAct={test}>
          {webhookStrings.test}
        </ActionButton>
      )}
      <DialogOpener needs="webhookUpdate" icon="pen" label={webhookStrings.edit}>
        {(onClose) => <WebhookForm webhook={webhook} onClose={onClose} onSaved={reload} />}
      </DialogOpener>
      <ActionButton needs="webhookUpdate" onAct={() => setStatus(isActive ? 'PAUSED' : 'ACTIVE')}>
        {isActive ? webhookStrings.pause : webhookStrings.resume}
      </ActionButton>
      <ActionButton needs="webhookSecret" onAct={reveal}>
        {webhookStrings.showSecret}
      </ActionButton>
      <ConfirmButton
        needs="webhookRotate"
        icon="key"
        label={webhookStrings.rotate}
        title={webhookStrings.rotateTitle}
        text={webhookStrings.rotateText}
        onYes={rotate}
      />
      <ConfirmButton
        needs="webhookDelete"
        icon="trash"
        label={emailStrings.delete}
        title={webhookStrings.deleteTitle}
        text={webhookStrings.deleteText}
        onYes={remove}
      />
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
  return {
    test: async () => {
      const call = (await runMutation(WebhookTestDocument, { id })).webhookTest.id;
      await navigate({ to: '/email/webhooks/$id/calls/$call', params: { id, call } });
    },
    setStatus: async (status: 'ACTIVE' | 'PAUSED') => {
      await runWithToast(WebhookSwitchDocument, { id, status }, webhookStrings.meanings[status]);
    },
    reveal: async () => {
      const { webhookSecret } = await runUncachedQuery(WebhookSecretDocument, { id });
      onSecret({ title: webhookStrings.secret, value: webhookSecret });
    },
    rotate: async () => {
      const { webhookRotate } = await runMutation(WebhookRotateDocument, { id });
      onSecret({ title: webhookStrings.newSecret, value: webhookRotate.secret });
    },
    remove: async () => {
      await runWithToast(WebhookDeleteDocument, { id }, emailStrings.deleted(url));
      await navigate({ to: '/email/webhooks' });
    },
  };
}
