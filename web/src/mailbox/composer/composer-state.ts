import type { SaveState } from './draft-queue.ts';
import type { InitialMessage } from './initial-message.ts';
import { isAddress } from './recipients/recipient-text.ts';
import type { FieldError } from './send.ts';
import { composerStrings } from './strings.ts';
import type { SyncReducer } from './use-sync-reducer.ts';

export type MessageHead = Pick<InitialMessage, 'mailbox' | 'to' | 'cc' | 'bcc' | 'subject'>;

interface ComposerValues {
  head: MessageHead;
  /** HTML below the text. Empty if it has become part of the text. */
  quote: string;
  /** True if the fields for Cc and Bcc are visible. */
  hasCopies: boolean;
  isSigned: boolean;
  saving: SaveState;
  isSending: boolean;
  error: FieldError | null;
}

type ComposerEvent =
  | { kind: 'edit-head'; changes: Partial<MessageHead> }
  | { kind: 'edit-quote' }
  | { kind: 'show-copies' }
  | { kind: 'sign'; isOn: boolean }
  | { kind: 'save'; state: SaveState; message?: string | undefined }
  | { kind: 'send' }
  | { kind: 'end-send'; error?: FieldError };

export type ComposerStore = SyncReducer<ComposerValues, ComposerEvent>;

export const createComposerValues = ({
  mailbox,
  to,
  cc,
  bcc,
  subject,
  quote,
}: InitialMessage): ComposerValues => ({
  head: { mailbox, to, cc, bcc, subject },
  quote,
  hasCopies: cc.length + bcc.length > 0,
  isSigned: true,
  saving: 'unchanged',
  isSending: false,
  error: null,
});

export function reduceComposer(values: ComposerValues, event: ComposerEvent): ComposerValues {
  switch (event.kind) {
    case 'edit-head':
      return { ...values, head: { ...values.head, ...event.changes }, error: null };
    case 'edit-quote':
      return { ...values, quote: '' };
    case 'show-copies':
      return { ...values, hasCopies: true };
    case 'sign':
      return { ...values, isSigned: event.isOn };
    case 'save': {
      const error = event.message ? { field: 'form' as const, message: event.message } : values.error;
      return { ...values, saving: event.state, error };
    }
    case 'send': {
      const error = findRecipientError(values.head);
      return error ? showError(values, error) : { ...values, isSending: true };
    }
    case 'end-send': {
      const idle = { ...values, isSending: false };
      return event.error ? showError(idle, event.error) : idle;
    }
  }
}

/** Shows an error and the field that it concerns. */
function showError(values: ComposerValues, error: FieldError): ComposerValues {
  const isAboutCopies = error.field === 'cc' || error.field === 'bcc';
  return { ...values, error, hasCopies: values.hasCopies || isAboutCopies };
}

function findRecipientError(head: MessageHead): FieldError | null {
  if (head.to.length === 0) return { field: 'to', message: composerStrings.recipientRequired };
  for (const field of ['to', 'cc', 'bcc'] as const) {
    const invalidAddress = head[field].find((recipient) => !isAddress(recipient));
    if (invalidAddress) return { field, message: composerStrings.invalidAddress(invalidAddress) };
  }
  return null;
}

/** Converts the header fields to the server's format. */
export const toDraftHead = ({ mailbox, to, cc, bcc, subject }: MessageHead) => ({
  mailbox,
  subject,
  to: to.join(', '),
  cc: cc.join(', '),
  bcc: bcc.join(', '),
});
