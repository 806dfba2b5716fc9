import { type FormEvent, type KeyboardEvent, useEffect, useReducer, useRef } from 'react';
import { client } from '../../graphql/client.ts';
import { moveIndex } from '../../ui/virtual-list.tsx';
import type { NamedRecord } from '../document.ts';
import { RecordNamesDocument } from '../generated.ts';
import { CLOSED_PICKER, getHighlighted, reducePicker, resolveText } from './picker-state.ts';

interface PickerOptions {
  model: string;
  value: NamedRecord | null;
  onChoose(record: NamedRecord | null): void;
}

const MAX_OFFERED = 10;
/** Delay after the last keystroke. */
const SEARCH_DELAY_MS = 150;

/** Suggests records for the typed text, and selects one by click, by key press, or when the field loses the focus. */
export function useRecordPicker({ model, value, onChoose }: PickerOptions) {
  const [state, dispatch] = useReducer(reducePicker, CLOSED_PICKER);
  const { text, records, active } = state;
  const isOpen = text !== null;
  useEffect(() => {
    if (text === null) return;
    let isOver = false;
    const load = async () => {
      const records = await findRecords(model, text);
      if (!isOver) dispatch({ type: 'find', text, records });
    };
    const waiting = window.setTimeout(() => void load(), text === '' ? 0 : SEARCH_DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(waiting);
    };
  }, [text, model]);
  const search = (text: string) => dispatch({ type: 'search', text });
  const choose = (record: NamedRecord | undefined) => {
    if (!record) return;
    onChoose(record);
    dispatch({ type: 'close' });
  };
  /** Chooses the highlighted suggestion, after waiting for the suggestions of the typed text if necessary. */
  const chooseTyped = async () => {
    if (!text || state.foundFor === text) return choose(getHighlighted(state));
    const [first] = await findRecords(model, text);
    // The field may have lost the focus, but must not contain another text.
    if (first && [text, null].includes(latest.current.text)) latest.current.choose(first);
  };
  const latest = useRef({ text, choose });
  latest.current = { text, choose };
  const leave = () => {
    const { chosen, rejectedText } = resolveText(state, value);
    if (chosen !== undefined) onChoose(chosen);
    dispatch({ type: 'close', rejectedText });
  };
  /** Replaces the browser's message, which would cover the hint below the field. */
  const onInvalid = (event: FormEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    event.preventDefault();
    dispatch({ type: 'miss' });
    if (input.form?.querySelector(INVALID_FIELD) === input) input.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      dispatch({ type: 'close' });
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      void chooseTyped();
    } else if (event.key === 'Tab' && !event.shiftKey && text) void chooseTyped();
    else if (event.key === 'ArrowDown' && !isOpen) {
      event.preventDefault();
      search('');
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      dispatch({ type: 'highlight', index: moveIndex(event.key, active, records?.length ?? 0) ?? 0 });
    }
  };
  return { ...state, isOpen, search, choose, leave, onInvalid, onKeyDown };
}

const INVALID_FIELD = ':is(input, select, textarea):invalid';

async function findRecords(model: string, name: string): Promise<NamedRecord[]> {
  const request = client.query(
    RecordNamesDocument,
    { model, name, limit: MAX_OFFERED },
    { requestPolicy: 'network-only' },
  );
  const { data } = await request.toPromise();
  return data?.recordNameSearch ?? [];
}
