import { useEffect, useRef, useState } from 'react';
import { useViewer } from '../../shell/viewer.ts';
import { composerHasDraft } from '../composers.ts';
import type { Beginning } from './begin.ts';
import { type DraftQueue, draftQueue, type SaveState } from './draft-queue.ts';
import { dropLocal, holdLocal, keepLocal } from './local-drafts.ts';
import { saveDraft } from './send.ts';

/** The saves of a composer's draft. What the server does not have yet is kept in this browser. */
export function useQueue(
  key: number,
  begun: Beginning,
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
    const { mode, inReplyTo } = begun;
    let stored: Promise<unknown> = Promise.resolve();
    const queue: DraftQueue = draftQueue(
      {
        async save(values, draft) {
          const known = draft ? { draft: draft.id, version: draft.version } : { mode, inReplyTo };
          const saved = await saveDraft({ ...values, ...known });
          if (saved.state === 'saved' && !draft) {
            composerHasDraft(key, saved.id);
            latest.current.onNew();
          }
          return saved;
        },
        keep(values) {
          const draft = queue.draft?.id ?? null;
          const next = () => (values ? keepLocal(local, { user, values, draft }) : dropLocal(local));
          // A browser without a store of its own keeps nothing.
          stored = stored.then(next).catch(() => undefined);
        },
        heard(next, message) {
          state.current = next;
          latest.current.onState(next, message);
        },
      },
      begun.draft,
    );
    return { queue, local };
  });
  useEffect(() => {
    const letGo = holdLocal(local);
    const warn = (event: BeforeUnloadEvent) => {
      if (state.current !== 'unchanged' && state.current !== 'saved') event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
      void queue.flush().then(letGo);
    };
  }, [local, queue]);
  return queue;
}
