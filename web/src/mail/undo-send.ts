import { change, client } from '../graphql/client.ts';
import { Refused } from '../graphql/refusal.ts';
import { sayWrong } from '../ui/toasts.tsx';
import { openComposer } from './composers.ts';
import { MailSendUndoDocument, MailWaitingDocument } from './generated.ts';

/** Takes a message back before it goes out, and opens it again. @returns whether it was there still */
export async function undoSend(id: string): Promise<boolean> {
  try {
    const { mailSendUndo: undone } = await change(MailSendUndoDocument, { id });
    if (undone.ok) openComposer({ kind: 'draft', id: undone.draftId!, files: undone.attachmentIds ?? [] });
    else sayWrong(undone.error ?? '');
    return undone.ok;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    sayWrong(error.refusal.message);
    return false;
  }
}

/** Milliseconds before it goes out in which a message counts as just sent: the longest that can be chosen. */
const WINDOW = 30_000;

/** The message that was sent last, from whatever page, while it can be taken back; null for none. */
export async function justSent(): Promise<string | null> {
  const { data } = await client.query(MailWaitingDocument, {}, { requestPolicy: 'network-only' }).toPromise();
  const soon = Date.now() + WINDOW;
  const [first] = (data?.outgoingMessages.nodes ?? []).filter(
    ({ state, sendAt }) => state === 'WAITING' && Date.parse(sendAt) < soon,
  );
  return first?.id ?? null;
}
