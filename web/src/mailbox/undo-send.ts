import { client, runMutation } from '../graphql/client.ts';
import { RequestError } from '../graphql/request-error.ts';
import { closeToast, showErrorToast } from '../ui/toasts.tsx';
import { openComposer } from './composers.ts';
import { MailSendUndoDocument, MailWaitingDocument } from './generated.ts';

/**
 * Cancels a message that has not been sent yet, and reopens it in a composer.
 * @returns true if the message was canceled
 */
export async function undoSend(id: string): Promise<boolean> {
  closeToast(id);
  try {
    const { mailSendUndo: undone } = await runMutation(MailSendUndoDocument, { id });
    if (undone.ok) openComposer({ kind: 'draft', id: undone.draftId!, files: undone.attachmentIds ?? [] });
    else showErrorToast(undone.error ?? '');
    return undone.ok;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    showErrorToast(error.failure.message);
    return false;
  }
}

/** The longest undo period. A message due within this time counts as just sent. */
const UNDO_WINDOW_MS = 30_000;

/** Returns the id of the last message whose sending can be undone, even if it was sent from another page. */
export async function findJustSent(): Promise<string | null> {
  const { data } = await client.query(MailWaitingDocument, {}, { requestPolicy: 'network-only' }).toPromise();
  const soon = Date.now() + UNDO_WINDOW_MS;
  const [first] = (data?.outgoingMessages.nodes ?? []).filter(
    ({ state, sendAt }) => state === 'WAITING' && Date.parse(sendAt) < soon,
  );
  return first?.id ?? null;
}
