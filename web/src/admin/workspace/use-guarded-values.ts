import { useReducer } from 'react';
import { isStale, RequestError } from '../../graphql/request-error.ts';
import { showToast } from '../../ui/toasts.tsx';
import {
  computeChanges,
  createGuardedState,
  findConflicts,
  type GuardedRecord,
  type GuardedValues,
  isOtherVersion,
  reduceGuardedForm,
} from './guarded.ts';
import { adminStrings } from './strings.ts';

interface GuardedStore {
  received: GuardedRecord;
  /** True if the version covers all values. False if another record stores some of them. */
  isVersioned: boolean;
  /** Returns null if the record was deleted. */
  loadCurrent(): Promise<GuardedRecord | null>;
  /** Saves the changes. `now` contains the values and the version that they are based on. */
  save(changes: GuardedValues, now: GuardedRecord): Promise<unknown>;
  onSaved?: (() => void) | undefined;
}

/** Manages a form's values and edits, and conflicts with other users' changes. */
export function useGuardedValues({ received, isVersioned, loadCurrent, save, onSaved }: GuardedStore) {
  const [state, dispatch] = useReducer(reduceGuardedForm, received, createGuardedState);
  const changes = computeChanges(state.base.values, state.edits);
  const isDirty = Object.keys(changes).length > 0;
  // Without edits, the form shows the server's current values.
  if (!isDirty && isOtherVersion(received, state.base)) dispatch({ kind: 'follow', record: received });
  /** Saves the edits unless there is a conflict. Returns the version that they replaced, or null. */
  const saveUnlessChanged = async (over: GuardedRecord): Promise<GuardedRecord | null> => {
    // Values without a version are compared before they are saved.
    let now = (!isVersioned && (await loadCurrent())) || over;
    while (findConflicts(over.values, now.values, changes).length === 0) {
      try {
        await save(changes, now);
        return now;
      } catch (error) {
        const current = isStale(error) && (await loadCurrent());
        if (!current) throw error;
        now = current;
      }
    }
    dispatch({ kind: 'conflict', theirs: now });
    return null;
  };
  /** Saves the edits, unless another user has changed the same fields since `over`. */
  const saveOver = async (over: GuardedRecord) => {
    dispatch({ kind: 'save' });
    try {
      const now = await saveUnlessChanged(over);
      if (!now) return;
      dispatch({ kind: 'saved', over: now, changes });
      showToast(adminStrings.saved);
      onSaved?.();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      dispatch({ kind: 'reject', refusal: error.failure });
    } finally {
      dispatch({ kind: 'finish' });
    }
  };
  return { state, dispatch, changes, isDirty, saveOver };
}
