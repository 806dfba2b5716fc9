import { client, runMutation } from '../graphql/client.ts';
import { RequestError } from '../graphql/request-error.ts';
import { showErrorToast } from '../ui/toasts.tsx';
import { openComposer } from './composers.ts';
import { MailSendUndoDocument, MailWaitingDocument } from './generated.ts';

/** Takes a message back before it goes out, and opens it again. @returns whether it was there still */
export async function undoSend(id: string): Promise<boolean> {
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

/** Milliseconds before it goes out in which a message counts as just sent: the longest that can be chosen. */
const UNDO_WINDOW_MS = 30_000;

/** The message that was sent last, from whatever page, while it can be taken back; null for none. */
export async function findJustSent(): Promise<string | null> {
  const { data } = await client.query(MailWaitingDocument, {}, { requestPolicy: 'network-only' }).toPromise();
  const soon = Date.now() + UNDO_WINDOW_MS;
  const [first] = (data?.outgoingMessages.nodes ?? []).filter(
    ({ state, sendAt }) => state === 'WAITING' && Date.parse(sendAt) < soon,
  );
  return first?.id ?? null;
}
