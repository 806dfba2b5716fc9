import type { NamedRecord } from '../document.ts';

interface PickerState {
  /** Typed text. Null while the list of suggestions is closed. */
  text: string | null;
  /** Suggestions. Null until they are loaded. */
  records: NamedRecord[] | null;
  foundFor: string;
  active: number;
  /** Text that was typed without selecting a record. */
  rejectedText: string;
  /** True after an attempt to save the form without the required record. */
  isMissing: boolean;
}

type PickerTransition =
  | { type: 'search'; text: string }
  | { type: 'find'; text: string; records: NamedRecord[] }
  | { type: 'highlight'; index: number }
  | { type: 'close'; rejectedText?: string }
  | { type: 'miss' };

export const CLOSED_PICKER: PickerState = {
  text: null,
  records: null,
  foundFor: '',
  active: 0,
  rejectedText: '',
  isMissing: false,
};

export function reducePicker(state: PickerState, transition: PickerTransition): PickerState {
  switch (transition.type) {
    case 'search':
      return { ...state, text: transition.text, isMissing: false };
    case 'find':
      return { ...state, records: transition.records, foundFor: transition.text, active: 0 };
    case 'highlight':
      return { ...state, active: transition.index };
    case 'close':
      return { ...CLOSED_PICKER, rejectedText: transition.rejectedText ?? '' };
    case 'miss':
      return { ...state, isMissing: true };
  }
}

/** Returns the highlighted suggestion, or undefined while the suggestions belong to an earlier text. */
export const getHighlighted = ({ text, foundFor, records, active }: PickerState): NamedRecord | undefined =>
  text === foundFor ? records?.[active] : undefined;

interface PickerOutcome {
  /** Undefined leaves the value unchanged. Null removes it. */
  chosen?: NamedRecord | null;
  rejectedText?: string;
}

/**
 * Resolves the text when the field loses the focus: a complete name selects the record, empty text clears the field,
 * and an incomplete name changes nothing.
 */
export function resolveText({ text, records }: PickerState, value: NamedRecord | null): PickerOutcome {
  if (text === '') return value ? { chosen: null } : {};
  const entered = text?.trim() ?? '';
  const matches = records?.filter(({ displayName }) => isSameName(displayName, entered)) ?? [];
  if (matches.length === 1 && matches[0]!.id !== value?.id) return { chosen: matches[0]! };
  return isSameName(entered, value?.displayName ?? '') ? {} : { rejectedText: entered };
}

const isSameName = (a: string, b: string): boolean => a.toLocaleLowerCase() === b.toLocaleLowerCase();
