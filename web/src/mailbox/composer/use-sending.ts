import { formatInstant } from '../../i18n/format.ts';
import { showToast } from '../../ui/toasts.tsx';
import { closeComposer } from '../composers.ts';
import { undoSend } from '../undo-send.ts';
import { type ComposerStore, toDraftHead } from './composer-state.ts';
import { setDraftFiles } from './draft-files.ts';
import { sendMessage } from './send.ts';
import { composerStrings } from './strings.ts';
import type { ComposerFiles } from './use-files.ts';
import type { MessageDraft } from './use-message-draft.ts';
import type { MessageText } from './use-message-text.ts';

interface SendingOptions {
  composer: number;
  inReplyTo: string | null;
  isRich: boolean;
  store: ComposerStore;
  text: MessageText;
  files: ComposerFiles;
  draft: MessageDraft;
  onRecipientInvalid(): void;
  onChange(): void;
}

/** Returns a function that sends or schedules the message, and then closes the composer. */
export function useSending(options: SendingOptions): (sendAt?: Date) => Promise<void> {
  const { composer, inReplyTo, isRich, store, text, files, draft, onRecipientInvalid, onChange } = options;
  const { queue } = draft;
  const submit = async (sendAt: Date | undefined) => {
    const { head, isSigned } = store.getState();
    const attached = await files.waitForUploads();
    draft.save(head);
    if (!(await queue.flush())) return null;
    const { mailbox, ...fields } = toDraftHead(head);
    return queue.runAfterSaves((saved) =>
      sendMessage({
        mailbox,
        letter: {
          ...fields,
          ...(isRich ? { bodyHtml: text.getHtml() } : { body: text.getText() }),
          inReplyTo,
          draftId: saved?.id ?? null,
          attachmentIds: attached,
          addSignature: isSigned,
        },
        sendAt: sendAt?.toISOString() ?? null,
      }),
    );
  };
  return async (sendAt) => {
    if (store.getState().isSending) return;
    store.dispatch({ kind: 'send' });
    if (!store.getState().isSending) return onRecipientInvalid();
    const result = await submit(sendAt);
    store.dispatch({ kind: 'end-send', ...(result && 'error' in result && result) });
    if (!result || 'error' in result) return;
    const draftId = queue.draft?.id;
    queue.discard();
    if (draftId) setDraftFiles(draftId, []);
    closeComposer(composer);
    showToast(sendAt ? composerStrings.scheduledFor(formatInstant(result.sendAt)) : composerStrings.sent, {
      id: result.outgoing,
      label: composerStrings.undo,
      run: () => void undoSend(result.outgoing).then(onChange),
    });
    onChange();
  };
}
