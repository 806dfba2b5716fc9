import type { RequestFailure } from '../../graphql/request-error.ts';
import { findLaterEdits } from '../../ui/form/later-edits.ts';
import type { RecordValues } from '../document.ts';
import type { FormValues } from '../fields.ts';
import type { ComputedLines, ComputedValues } from './onchange.ts';

interface FormState {
  /** Unsaved values. For a new record, they include the defaults. */
  changes: FormValues;
  /** Read-only values and values of lines that the server computed from the changes. They are not saved. */
  facts: FormValues;
  lines: ComputedLines;
  isDirty: boolean;
  /** The saved version that the changes are based on. Null if there are no changes or the record is new. */
  base: RecordValues | null;
  isSaving: boolean;
  uploads: Record<string, number>;
  failure: RequestFailure | null;
  /** The version that another user has saved since `base`. */
  theirs: RecordValues | null;
  round: number;
}

type FormTransition =
  | { type: 'enter'; values: FormValues; record: RecordValues | null }
  | ({ type: 'compute' } & ComputedValues)
  | { type: 'reset'; start: FormValues }
  | { type: 'save' }
  /** `sent` are the saved changes, and `record` is the saved version. */
  | { type: 'saved'; sent: FormValues; record: RecordValues; start: FormValues }
  | { type: 'upload'; name: string; share: number }
  | { type: 'reject'; failure: RequestFailure }
  | { type: 'conflict'; theirs: RecordValues }
  | { type: 'closeConflict' }
  | { type: 'create' }
  | { type: 'finish' };

export const createFormState = (start: FormValues): FormState => ({
  changes: start,
  facts: {},
  lines: {},
  isDirty: false,
  base: null,
  isSaving: false,
  uploads: {},
  failure: null,
  theirs: null,
  round: 0,
});

export function reduceForm(state: FormState, transition: FormTransition): FormState {
  switch (transition.type) {
    case 'enter':
      return {
        ...state,
        changes: { ...state.changes, ...transition.values },
        isDirty: true,
        base: state.base ?? transition.record,
      };
    case 'compute':
      return {
        ...state,
        changes: { ...state.changes, ...transition.values },
        facts: transition.facts,
        lines: transition.lines,
      };
    case 'reset':
      return {
        ...state,
        changes: transition.start,
        facts: {},
        lines: {},
        isDirty: false,
        base: null,
        failure: null,
        theirs: null,
        round: state.round + 1,
      };
    case 'save':
      return { ...state, isSaving: true, failure: null, theirs: null };
    case 'saved': {
      // The changes of a list are already saved in part.
      const later = Object.fromEntries(
        Object.entries(findLaterEdits(transition.sent, state.changes)).filter(
          ([, value]) => !Array.isArray(value),
        ),
      );
      const saved = reduceForm(state, { type: 'reset', start: transition.start });
      if (Object.keys(later).length === 0) return saved;
      // Keeps the round, so that the field in which the user types stays focused.
      const { round } = state;
      return reduceForm({ ...saved, round }, { type: 'enter', values: later, record: transition.record });
    }
    case 'upload':
      return { ...state, uploads: { ...state.uploads, [transition.name]: transition.share } };
    case 'reject':
      return { ...state, failure: transition.failure };
    case 'conflict':
      return { ...state, theirs: transition.theirs };
    case 'closeConflict':
      return { ...state, theirs: null };
    case 'create':
      return { ...state, isDirty: false };
    case 'finish':
      return { ...state, isSaving: false, uploads: {} };
  }
}

/** Returns the input key of the rejected field, or undefined if the failure does not concern a field. */
export function findRejectedField(failure: RequestFailure | null): string | undefined {
  if (!failure?.argument?.startsWith('input.')) return undefined;
  return failure.argument.split(/[.[]/)[1]?.replace(/UploadId$/, '');
}
