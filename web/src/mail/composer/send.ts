import { change } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import type { Saved } from './draft-queue.ts';
import {
  MailDraftSaveDocument,
  type MailDraftSaveMutationVariables,
  MailSendLaterDocument,
  type MailSendLaterMutationVariables,
} from './generated.ts';

/** Saves a draft. */
export async function saveDraft(variables: MailDraftSaveMutationVariables): Promise<Saved> {
  try {
    const { mailDraftSave: saved } = await change(MailDraftSaveDocument, variables);
    if (saved.ok) return { state: 'saved', id: saved.draftId! };
    if (saved.code === 'changed') return { state: 'changed' };
    return { state: 'refused', message: saved.error ?? '' };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, message } = error.refusal;
    return code === 'OFFLINE' ? { state: 'offline' } : { state: 'refused', message };
  }
}

/** A field of a composer that something is wrong with. */
export type WrongField = 'to' | 'cc' | 'bcc' | 'subject' | 'form';

export interface Wrong {
  field: WrongField;
  message: string;
}

export type Sent = { outgoing: string; sendAt: string } | { wrong: Wrong };

/** Hands a message over: it goes out by itself from then on, once it cannot be taken back any more. */
export async function sendMessage(variables: MailSendLaterMutationVariables): Promise<Sent> {
  try {
    const { mailSendLater: sent } = await change(MailSendLaterDocument, variables);
    if (sent.ok) return { outgoing: sent.outgoingId!, sendAt: sent.sendAt! };
    return { wrong: wrongOf(sent.error ?? '') };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { wrong: wrongOf(error.refusal.message) };
  }
}

/** The server names the field that it refuses before a colon. Pure. */
export function wrongOf(message: string): Wrong {
  const [, field] = /^(to|cc|bcc|subject): /.exec(message) ?? [];
  return field
    ? { field: field as WrongField, message: message.slice(field.length + 2) }
    : { field: 'form', message };
}
