import { useState } from 'react';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { useFormAction } from '../../shell/use-action.ts';
import { findLaterEdits } from '../../ui/form/later-edits.ts';

/** A stored campaign or template. */
interface StoredDraft {
  id: string;
  version: number;
}

interface DraftFunctions<Stored, Draft, Changes> {
  toDraft(stored: Stored): Draft;
  computeChanges(draft: Draft, base: Stored): Changes;
  /** Requests the stored version again. */
  reload(): void;
}

export interface EditedDraft<Stored, Draft, Changes> {
  /** The stored version that the draft is based on. */
  base: Stored;
  draft: Draft;
  changes: Changes;
  isDirty: boolean;
  isBusy: boolean;
  /** Set if the last save was rejected. */
  refusal: RequestFailure | null;
  /** True if the last save was rejected because there is a newer version. */
  isInConflict: boolean;
  setDraft(draft: Draft): void;
  load(stored: Stored): void;
  /** Runs a mutation that returns the saved version. */
  save(run: (changes: Changes) => Promise<Stored>): Promise<void>;
  dismissRefusal(): void;
}

/**
 * Edits a draft of a stored campaign or template. Other users' changes appear immediately, unless there are unsaved
 * edits.
 */
export function useDraft<Stored extends StoredDraft, Draft extends object, Changes extends object>(
  stored: Stored,
  { toDraft, computeChanges, reload }: DraftFunctions<Stored, Draft, Changes>,
): EditedDraft<Stored, Draft, Changes> {
  const [{ base, draft }, setState] = useState({ base: stored, draft: toDraft(stored) });
  const { isBusy, refusal, dismissRefusal, act } = useFormAction(undefined, draft);
  const changes = computeChanges(draft, base);
  const isDirty = hasChanges(changes);
  const load = (next: Stored) => {
    setState({ base: next, draft: toDraft(next) });
    dismissRefusal();
  };
  if (replacesDraft(stored, base, isDirty)) load(stored);
  const save = (run: (changes: Changes) => Promise<Stored>) =>
    act(async () => {
      try {
        const saved = await run(changes);
        setState((old) => ({
          base: saved,
          draft: { ...toDraft(saved), ...findLaterEdits(draft, old.draft) },
        }));
      } catch (error) {
        reload();
        throw error;
      }
    });
  return {
    base,
    draft,
    changes,
    isDirty,
    isBusy,
    refusal,
    isInConflict: refusal?.argument === 'expectedVersion',
    setDraft: (next) => setState((old) => ({ ...old, draft: next })),
    load,
    save,
    dismissRefusal,
  };
}

export const hasChanges = (changes: object): boolean => Object.keys(changes).length > 0;

/**
 * True if a version from the server should replace the draft. A draft with unsaved edits is not replaced. After
 * navigation, the first draft may be based on the previous campaign or template.
 */
export const replacesDraft = (received: StoredDraft, base: StoredDraft, isDirty: boolean): boolean =>
  received.id !== base.id || (!isDirty && received.version > base.version);
