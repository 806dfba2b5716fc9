import type { RequestFailure } from '../../graphql/request-error.ts';

export interface DraftState<Stored, Draft> {
  /** The stored version that the draft is based on. */
  base: Stored;
  draft: Draft;
  /** Set if the last save was rejected. */
  refusal: RequestFailure | null;
  isSaving: boolean;
}

export type DraftAction<Stored, Draft> =
  | { kind: 'edit'; draft: Draft }
  /** Replaces the draft after it was saved or discarded. */
  | { kind: 'load'; stored: Stored; draft: Draft }
  | { kind: 'save' }
  | { kind: 'reject'; refusal: RequestFailure }
  | { kind: 'finish' }
  | { kind: 'dismissRefusal' };

export function reduceDraft<Stored, Draft>(
  state: DraftState<Stored, Draft>,
  action: DraftAction<Stored, Draft>,
): DraftState<Stored, Draft> {
  switch (action.kind) {
    case 'edit':
      return { ...state, draft: action.draft };
    case 'load':
      return { ...state, base: action.stored, draft: action.draft, refusal: null };
    case 'save':
      return { ...state, isSaving: true, refusal: null };
    case 'reject':
      return { ...state, refusal: action.refusal };
    case 'finish':
      return { ...state, isSaving: false };
    case 'dismissRefusal':
      return { ...state, refusal: null };
  }
}

export const hasChanges = (changes: object): boolean => Object.keys(changes).length > 0;

/** A stored campaign or template. */
export interface StoredDraft {
  id: string;
  version: number;
}

/**
 * True if a version from the server should replace the draft. A draft with unsaved edits is not replaced. After
 * navigation, the first draft may be based on the previous campaign or template.
 */
export const replacesDraft = (received: StoredDraft, base: StoredDraft, isDirty: boolean): boolean =>
  received.id !== base.id || (!isDirty && received.version > base.version);
