import type { SaveState } from './draft-queue.ts';
import type { InitialMessage } from './initial-message.ts';
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
    case 'send':
      return values.head.to.length > 0
        ? { ...values, isSending: true }
        : { ...values, error: { field: 'to', message: composerStrings.recipientRequired } };
    case 'end-send': {
      const error = event.error ?? values.error;
      const isAboutCopies = event.error?.field === 'cc' || event.error?.field === 'bcc';
      return { ...values, isSending: false, error, hasCopies: values.hasCopies || isAboutCopies };
    }
  }
}

/** Converts the header fields to the server's format. */
export const toDraftHead = ({ mailbox, to, cc, bcc, subject }: MessageHead) => ({
  mailbox,
  subject,
  to: to.join(', '),
  cc: cc.join(', '),
  bcc: bcc.join(', '),
});
