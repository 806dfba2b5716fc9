import type { RequestFailure } from '../../graphql/request-error.ts';

export type FieldValue = string | boolean | null;

export type GuardedValues = Record<string, FieldValue>;

/** Version, time and author of a record's last change. */
export interface LastChange {
  /** Null if the record has no versions. */
  version: number | null;
  /** Null if the server does not record it. */
  updatedAt: string | null;
  updatedBy: { displayName: string } | null;
}

export const computeChanges = (before: GuardedValues, enteredValues: GuardedValues): GuardedValues =>
  Object.fromEntries(
    Object.entries(enteredValues).filter(([name, value]) => value !== (before[name] ?? null)),
  );

/** Returns the names of fields that were changed to different values here and on the server. */
export const findConflicts = (before: GuardedValues, now: GuardedValues, changes: GuardedValues): string[] =>
  Object.keys(changes).filter(
    (name) =>
      (now[name] ?? null) !== (before[name] ?? null) && (now[name] ?? null) !== (changes[name] ?? null),
  );

export interface GuardedRecord {
  lastChange: LastChange;
  values: GuardedValues;
}

export interface GuardedState {
  /** The values that the edits are based on. */
  base: GuardedRecord;
  edits: GuardedValues;
  /** Values saved by another user that conflict with the edits. */
  theirs: GuardedRecord | null;
  refusal: RequestFailure | null;
  isSaving: boolean;
}

type GuardedAction =
  | { kind: 'edit'; name: string; value: FieldValue }
  | { kind: 'discard' }
  /** The server has another version, and there are no edits. */
  | { kind: 'follow'; record: GuardedRecord }
  | { kind: 'save' }
  | { kind: 'conflict'; theirs: GuardedRecord }
  | { kind: 'saved'; over: GuardedRecord; changes: GuardedValues }
  | { kind: 'reject'; refusal: RequestFailure }
  | { kind: 'finish' }
  | { kind: 'takeTheirs' }
  | { kind: 'closeConflict' };

export const createGuardedState = (base: GuardedRecord): GuardedState => ({
  base,
  edits: {},
  theirs: null,
  refusal: null,
  isSaving: false,
});

export function reduceGuardedForm(state: GuardedState, action: GuardedAction): GuardedState {
  switch (action.kind) {
    case 'edit':
      return { ...state, edits: { ...state.edits, [action.name]: action.value } };
    case 'discard':
      return { ...state, edits: {} };
    case 'follow':
      return { ...state, base: action.record };
    case 'save':
      return { ...state, isSaving: true, refusal: null };
    case 'conflict':
      return { ...state, theirs: action.theirs };
    case 'saved': {
      const { lastChange, values } = action.over;
      return {
        ...state,
        base: { lastChange, values: { ...values, ...action.changes } },
        edits: {},
        theirs: null,
      };
    }
    case 'reject':
      return { ...state, refusal: action.refusal, theirs: null };
    case 'finish':
      return { ...state, isSaving: false };
    case 'takeTheirs':
      return { ...state, base: state.theirs ?? state.base, edits: {}, theirs: null };
    case 'closeConflict':
      return { ...state, theirs: null };
  }
}

export const isOtherVersion = (received: GuardedRecord, base: GuardedRecord): boolean =>
  buildVersionKey(received) !== buildVersionKey(base);

const buildVersionKey = ({ lastChange, values }: GuardedRecord): string =>
  JSON.stringify([lastChange.version, values]);
