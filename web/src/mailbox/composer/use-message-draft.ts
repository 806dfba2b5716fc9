import { useEffect, useRef } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import { closeComposer } from '../composers.ts';
import { MailDraftDeleteDocument } from '../generated.ts';
import { type MessageHead, toDraftHead } from './composer-state.ts';
import { setDraftFiles } from './draft-files.ts';
import type { DraftVersion, SaveState } from './draft-queue.ts';
import type { InitialMessage } from './initial-message.ts';
import { useDraftQueue } from './use-draft-queue.ts';
import type { ComposerFiles } from './use-files.ts';
import type { MessageText } from './use-message-text.ts';

interface MessageDraftOptions {
  composer: number;
  initialMessage: InitialMessage;
  text: MessageText;
  files: ComposerFiles;
  getHead(): MessageHead;
  onState(state: SaveState, message?: string): void;
  onChange(): void;
}

export type MessageDraft = ReturnType<typeof useMessageDraft>;

/** Saves a composer's draft, and closes the composer with or without keeping the draft. */
export function useMessageDraft(options: MessageDraftOptions) {
  const { composer, initialMessage, text, files, getHead, onState, onChange } = options;
  const queue = useDraftQueue(composer, initialMessage, onChange, onState);
  const isTouched = useRef(false);
  const isUnchanged = () =>
    text.isUnwritten() &&
    files.all.length <= initialMessage.files.length + initialMessage.filesToFetch.length &&
    JSON.stringify(toDraftHead(getHead())) === JSON.stringify(toDraftHead(initialMessage));
  const save = (head = getHead()) => {
    // The editor reports its initial content as a change, but an unedited message is not saved as a draft.
    if (!isTouched.current && isUnchanged()) return;
    isTouched.current = true;
    const values = toDraftHead(head);
    queue.change(text.isUnchanged() && initialMessage.draft ? values : { ...values, body: text.getHtml() });
  };
  const latestSave = useRef(save);
  latestSave.current = save;
  const ids = files.all.flatMap(({ staged }) => staged?.id ?? []).join(',');
  const draftId = queue.draft?.id;
  useEffect(() => {
    if (draftId) setDraftFiles(draftId, ids ? ids.split(',') : []);
    else if (ids) latestSave.current();
  }, [draftId, ids]);
  const discard = async () => {
    closeComposer(composer);
    queue.discard();
    await queue.runAfterSaves(deleteDraft);
    for (const file of files.all) files.remove(file);
    onChange();
  };
  const leave = async () => {
    if (!initialMessage.draft && isUnchanged()) return discard();
    closeComposer(composer);
    await queue.flush();
    queue.stop();
    onChange();
  };
  return { queue, save, leave, discard };
}

async function deleteDraft(draft: DraftVersion | null): Promise<void> {
  if (!draft) return;
  const { mailDraftDelete: deletion } = await runMutation(MailDraftDeleteDocument, { id: draft.id });
  if (!deletion.ok) showErrorToast(deletion.error ?? '');
  setDraftFiles(draft.id, []);
}
