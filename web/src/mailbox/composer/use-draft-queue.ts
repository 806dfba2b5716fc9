import { useEffect, useRef, useState } from 'react';
import { useViewer } from '../../shell/viewer.ts';
import { setComposerDraft } from '../composers.ts';
import { createDraftQueue, type DraftQueue, type SaveState } from './draft-queue.ts';
import type { InitialMessage } from './initial-message.ts';
import { deleteLocalDraft, lockLocalDraft, storeLocalDraft } from './local-drafts.ts';
import { saveDraft } from './send.ts';

/** Saves a composer's draft. Unsaved changes are also stored in the browser. */
export function useDraftQueue(
  key: number,
  initialDraft: InitialMessage,
  onNew: () => void,
  onState: (state: SaveState, message?: string) => void,
): DraftQueue {
  const { viewer, workspace } = useViewer();
  const latest = useRef({ onNew, onState });
  latest.current = { onNew, onState };
  const state = useRef<SaveState>('unchanged');
  const [{ queue, local }] = useState(() => {
    const local = `draft:${Date.now()}.${Math.random()}`;
    const user = `${workspace.id}.${viewer.userId}`;
    const { mode, inReplyTo } = initialDraft;
    let stored: Promise<unknown> = Promise.resolve();
    const queue: DraftQueue = createDraftQueue(
      {
        async save(values, draft) {
          const draftRef = draft ? { draft: draft.id, version: draft.version } : { mode, inReplyTo };
          const result = await saveDraft({ ...values, ...draftRef });
          if (result.state === 'saved' && !draft) {
            setComposerDraft(key, result.id);
            latest.current.onNew();
          }
          return result;
        },
        storeLocally(values) {
          const draft = queue.draft?.id ?? null;
          const next = () =>
            values ? storeLocalDraft(local, { user, values, draft }) : deleteLocalDraft(local);
          // Without IndexedDB, unsaved changes are lost with the page.
          stored = stored.then(next).catch(() => undefined);
        },
        onState(next, message) {
          state.current = next;
          latest.current.onState(next, message);
        },
      },
      initialDraft.draft,
    );
    return { queue, local };
  });
  useEffect(() => {
    const releaseLock = lockLocalDraft(local);
    const warn = (event: BeforeUnloadEvent) => {
      if (state.current !== 'unchanged' && state.current !== 'saved') event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
      void queue.flush().then(releaseLock);
    };
  }, [local, queue]);
  return queue;
}
