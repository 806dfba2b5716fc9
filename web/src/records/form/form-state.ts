import type { RequestFailure } from '../../graphql/request-error.ts';
import { findLaterEdits } from '../../ui/form/later-edits.ts';
import { getNewestAlias, isLineEdits, type RecordValues } from '../document.ts';
import type { FormValues } from '../fields.ts';
import { findCreatedIds, findLaterLines } from './line-edits.ts';
import type { ComputedLines, ComputedValues } from './onchange.ts';

interface FormState {
  /** Unsaved values. For a new record, they include the defaults. */
  changes: FormValues;
  /** Read-only values and values of lines that the server computed from the changes. They are not saved. */
  facts: FormValues;
  lines: ComputedLines;
  /** Keys of the rows of lines that the form has created, by line id. A row keeps its key, and thereby the focus. */
  rowKeys: Record<string, string>;
  isDirty: boolean;
  /** The saved version that the changes are based on. Null if there are no changes or the record is new. */
  base: RecordValues | null;
  isSaving: boolean;
  uploads: Record<string, number>;
  failure: RequestFailure | null;
  /** The version that another user has saved since `base`. */
  theirs: RecordValues | null;
}

type FormTransition =
  | { type: 'enter'; values: FormValues; record: RecordValues | null }
  | ({ type: 'compute' } & ComputedValues)
  | { type: 'reset'; start: FormValues }
  | { type: 'save' }
  /** `record` is the saved version. */
  | ({ type: 'saved'; record: RecordValues } & LaterChanges)
  | { type: 'upload'; name: string; share: number }
  | { type: 'reject'; failure: RequestFailure }
  | { type: 'conflict'; theirs: RecordValues }
  | { type: 'closeConflict' }
  | { type: 'finish' };

export const createFormState = (start: FormValues): FormState => ({
  changes: start,
  facts: {},
  lines: {},
  rowKeys: {},
  isDirty: false,
  base: null,
  isSaving: false,
  uploads: {},
  failure: null,
  theirs: null,
});

export function reduceForm(state: FormState, transition: FormTransition): FormState {
  switch (transition.type) {
    case 'enter':
      return {
        ...state,
        changes: { ...state.changes, ...transition.values },
        isDirty: true,
        base: state.base ?? transition.record,
        failure: (findRejectedField(state.failure) ?? '') in transition.values ? null : state.failure,
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
      };
    case 'save':
      return { ...state, isSaving: true, failure: null, theirs: null };
    case 'saved': {
      const { later, rowKeys, record } = transition;
      const saved = reduceForm(state, { type: 'reset', start: {} });
      const next = { ...saved, isSaving: false, rowKeys: { ...state.rowKeys, ...rowKeys } };
      return Object.keys(later).length === 0
        ? next
        : reduceForm(next, { type: 'enter', values: later, record });
    }
    case 'upload':
      return { ...state, uploads: { ...state.uploads, [transition.name]: transition.share } };
    case 'reject':
      return { ...state, failure: transition.failure };
    case 'conflict':
      return { ...state, theirs: transition.theirs };
    case 'closeConflict':
      return { ...state, theirs: null };
    case 'finish':
      return { ...state, isSaving: false, uploads: {} };
  }
}

interface LaterChanges {
  later: FormValues;
  /** Keys of the lines that the save has created, by id. */
  rowKeys: Record<string, string>;
}

/**
 * Finds the changes that the user made during a save.
 * @param sent the saved changes
 * @param record the saved version, with the lists whose lines were saved
 */
export function findLaterChanges(sent: FormValues, now: FormValues, record: RecordValues): LaterChanges {
  const later: FormValues = findLaterEdits(sent, now);
  const rowKeys: Record<string, string> = {};
  for (const [name, before] of Object.entries(sent)) {
    if (!isLineEdits(before)) continue;
    const newest = record[getNewestAlias(name)] as { nodes: RecordValues[] } | undefined;
    const createdIds = findCreatedIds(before, newest?.nodes ?? []);
    for (const [key, id] of createdIds) rowKeys[id] = key;
    const after = later[name];
    if (!isLineEdits(after)) continue;
    const lines = findLaterLines(before, after, createdIds);
    if (lines) later[name] = lines;
    else delete later[name];
  }
  return { later, rowKeys };
}

/** Returns the input key of the rejected field, or undefined if the failure does not concern a field. */
export function findRejectedField(failure: RequestFailure | null): string | undefined {
  if (!failure?.argument?.startsWith('input.')) return undefined;
  return failure.argument.split(/[.[]/)[1]?.replace(/UploadId$/, '');
}
