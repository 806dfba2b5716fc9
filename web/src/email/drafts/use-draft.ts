import { useCallback, useEffect, useReducer } from 'react';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import {
  type DraftAction,
  type DraftState,
  hasChanges,
  reduceDraft,
  replacesDraft,
  type StoredDraft,
} from './draft-state.ts';

interface DraftFunctions<Stored, Draft, Changes> {
  toDraft(stored: Stored): Draft;
  computeChanges(draft: Draft, base: Stored): Changes;
}

export interface EditedDraft<Stored, Draft, Changes> {
  /** The stored version that the draft is based on. */
  base: Stored;
  draft: Draft;
  changes: Changes;
  isDirty: boolean;
  isSaving: boolean;
  /** Set if the last save was rejected. */
  refusal: RequestFailure | null;
  setDraft(draft: Draft): void;
  load(stored: Stored): void;
  /** Runs a mutation that returns the saved version. */
  save(run: (changes: Changes) => Promise<Stored>): Promise<void>;
  dismissRefusal(): void;
}

/**
 * Edits a draft of a stored campaign or template. Other users' changes appear immediately, unless there are unsaved
 * edits.
 * @param functions module-level functions, whose identity never changes
 */
export function useDraft<Stored extends StoredDraft, Draft, Changes extends object>(
  stored: Stored,
  { toDraft, computeChanges }: DraftFunctions<Stored, Draft, Changes>,
): EditedDraft<Stored, Draft, Changes> {
  const [state, dispatch] = useReducer<DraftState<Stored, Draft>, [DraftAction<Stored, Draft>]>(reduceDraft, {
    base: stored,
    draft: toDraft(stored),
    refusal: null,
    isSaving: false,
  });
  const { base, draft, refusal, isSaving } = state;
  const changes = computeChanges(draft, base);
  const isDirty = hasChanges(changes);
  const load = useCallback(
    (next: Stored) => dispatch({ kind: 'load', stored: next, draft: toDraft(next) }),
    [toDraft],
  );
  useEffect(() => {
    if (replacesDraft(stored, base, isDirty)) load(stored);
  }, [stored, base, isDirty, load]);
  const save = async (run: (changes: Changes) => Promise<Stored>) => {
    dispatch({ kind: 'save' });
    try {
      load(await run(changes));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      dispatch({ kind: 'reject', refusal: error.failure });
    } finally {
      dispatch({ kind: 'finish' });
    }
  };
  return {
    base,
    draft,
    changes,
    isDirty,
    isSaving,
    refusal,
    setDraft: (next) => dispatch({ kind: 'edit', draft: next }),
    load,
    save,
    dismissRefusal: () => dispatch({ kind: 'dismissRefusal' }),
  };
}
