import { type KeyboardEvent, useEffect, useRef } from 'react';
import { createComposerValues, type MessageHead, reduceComposer } from './composer-state.ts';
import type { InitialMessage } from './initial-message.ts';
import type { FieldName } from './send.ts';
import type { PictureStore } from './text/pictures.ts';
import { useFiles } from './use-files.ts';
import { useMessageDraft } from './use-message-draft.ts';
import { useMessageText } from './use-message-text.ts';
import { useSending } from './use-sending.ts';
import { useSyncReducer } from './use-sync-reducer.ts';

interface ComposerOptions {
  composer: number;
  initialMessage: InitialMessage;
  /** Allows formatting, attachments, Cc and Bcc. */
  isRich: boolean;
  pictures: PictureStore;
  onChange(): void;
}

export type ComposerState = ReturnType<typeof useComposer>;

/** Manages a composer: header, body, attachments, saving and sending. */
export function useComposer(options: ComposerOptions) {
  const { composer, initialMessage, isRich, pictures, onChange } = options;
  const store = useSyncReducer(reduceComposer, () => createComposerValues(initialMessage));
  const { state, getState, dispatch } = store;
  const toField = useRef<HTMLInputElement>(null);
  const files = useFiles();
  const addFiles = (added: readonly File[]) => files.add(added, getState().head.mailbox);
  const text = useMessageText({
    initialMessage,
    isRich,
    pictures,
    getQuote: () => getState().quote,
    addFiles,
    onChange: () => draft.save(),
    onKey: (event) => press(event),
  });
  const draft = useMessageDraft({
    composer,
    initialMessage,
    text,
    files,
    getHead: () => getState().head,
    onState: (state, message) => dispatch({ kind: 'save', state, message }),
    onChange,
  });
  const send = useSending({
    composer,
    inReplyTo: initialMessage.inReplyTo,
    isRich,
    store,
    text,
    files,
    draft,
    onRecipientInvalid: () => {
      if (getState().error?.field === 'to') toField.current?.focus();
    },
    onChange,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the initial files are added once
  useEffect(() => {
    if (initialMessage.to.length === 0) toField.current?.focus();
    files.addStaged(initialMessage.files);
    void files.fetchAndAdd(initialMessage.filesToFetch, initialMessage.mailbox);
  }, []);
  const press = (event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'preventDefault'>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Escape') void draft.leave();
  };
  const editHead = (changes: Partial<MessageHead>) => {
    dispatch({ kind: 'edit-head', changes });
    draft.save();
  };
  const getFieldError = (field: FieldName) => (state.error?.field === field ? state.error.message : null);
  return { ...state, dispatch, editHead, getFieldError, toField, files, addFiles, text, draft, send, press };
}
