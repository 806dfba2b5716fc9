import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation, runUncachedQuery } from '../../graphql/client.ts';
import { ConfirmDialog } from '../../shell/dialogs/confirm.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { shellStrings } from '../../shell/strings.ts';
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

type DialogName = 'change' | 'rotate' | 'delete';

export function WebhookActions({ webhook, reload }: WebhookActionsProps) {
  const { can } = useViewer();
  const [openDialog, setOpenDialog] = useState<DialogName>();
  const [secret, setSecret] = useState<RevealedSecret>();
  const { isBusy, test, setStatus, reveal, rotate, remove } = useWebhookMutations(webhook, setSecret);
  const isActive = webhook.status === 'ACTIVE';
  const close = () => setOpenDialog(undefined);
  return (
    <div className="buttons">
      {can.has('webhookTest') && isActive && (
        <Button icon="send" isBusy={isBusy} onClick={test}>
          {webhookStrings.test}
        </Button>
      )}
      {can.has('webhookUpdate') && (
        <>
          <Button icon="pen" onClick={() => setOpenDialog('change')}>
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
      {openDialog === 'rotate' && <RotateDialog onRotate={rotate} onClose={close} />}
      {openDialog === 'delete' && <DeleteDialog onDelete={remove} onClose={close} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </div>
  );
}

const RotateDialog = ({ onRotate, onClose }: { onRotate(): Promise<void>; onClose(): void }) => (
  <ConfirmDialog
    title={webhookStrings.rotateTitle}
    yes={webhookStrings.rotate}
    onYes={onRotate}
    onClose={onClose}
  >
    <p>{webhookStrings.rotateText}</p>
  </ConfirmDialog>
);

const DeleteDialog = ({ onDelete, onClose }: { onDelete(): Promise<void>; onClose(): void }) => (
  <ConfirmDialog
    title={webhookStrings.deleteTitle}
    yes={emailStrings.delete}
    onYes={onDelete}
    onClose={onClose}
  >
    <p>{webhookStrings.deleteText}</p>
  </ConfirmDialog>
);

const SecretDialog = ({ secret, onClose }: { secret: RevealedSecret; onClose(): void }) => (
  <Dialog title={secret.title} onClose={onClose}>
    <SecretOnce
      secret={secret.value}
      warning={webhookStrings.secretShown}
      copy={shellStrings.copy}
      copied={shellStrings.copied}
    />
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
    rotate: () =>
      act(async () => {
        const { webhookRotate } = await runMutation(WebhookRotateDocument, { id });
        onSecret({ title: webhookStrings.newSecret, value: webhookRotate.secret });
      }),
    remove: () =>
      act(async () => {
        await runMutation(WebhookDeleteDocument, { id });
        showToast(emailStrings.deleted(url));
        await navigate({ to: '/email/webhooks' });
      }),
  };
}
