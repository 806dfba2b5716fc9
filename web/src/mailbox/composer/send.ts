import { runMutation } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import type { SaveResult } from './draft-queue.ts';
import {
  MailDraftSaveDocument,
  type MailDraftSaveMutationVariables,
  MailSendLaterDocument,
  type MailSendLaterMutationVariables,
} from './generated.ts';

type DraftToSave = Omit<MailDraftSaveMutationVariables, 'vals'> & MailDraftSaveMutationVariables['vals'];

export async function saveDraft({ mailbox, draft, version, ...vals }: DraftToSave): Promise<SaveResult> {
  try {
    const variables = { mailbox, draft, version, vals };
    const { mailDraftSave: saved } = await runMutation(MailDraftSaveDocument, variables);
    if (saved.ok) return { state: 'saved', id: saved.draftId! };
    return { state: 'refused', message: saved.error ?? '' };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, message } = error.failure;
    if (code === 'STALE') return { state: 'changed' };
    return code === 'OFFLINE' ? { state: 'offline' } : { state: 'refused', message };
  }
}

export type FieldName = 'to' | 'cc' | 'bcc' | 'subject' | 'form';

export interface FieldError {
  field: FieldName;
  message: string;
}

type SendResult = { outgoing: string; sendAt: string } | { error: FieldError };

/** Submits a message, which the server sends after the undo period. */
export async function sendMessage(variables: MailSendLaterMutationVariables): Promise<SendResult> {
  try {
    const { mailSendLater: sent } = await runMutation(MailSendLaterDocument, variables);
    if (sent.ok) return { outgoing: sent.outgoingId!, sendAt: sent.sendAt! };
    return { error: parseFieldError(sent.error ?? '') };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { argument, message } = error.failure;
    const field = FIELD_NAMES.find((name) => name === argument?.split('.').at(-1));
    return { error: field ? { field, message } : parseFieldError(message) };
  }
}

const FIELD_NAMES = ['to', 'cc', 'bcc', 'subject'] as const;

/** Server error messages start with the field name and a colon. */
function parseFieldError(message: string): FieldError {
  const [, field] = /^(to|cc|bcc|subject): /.exec(message) ?? [];
  return field
    ? { field: field as FieldName, message: message.slice(field.length + 2) }
    : { field: 'form', message };
}
