import { type KeyboardEvent, useEffect, useReducer } from 'react';
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
      const variables = { model, name: text, limit: MAX_OFFERED };
      const { data } = await client
        .query(RecordNamesDocument, variables, { requestPolicy: 'network-only' })
        .toPromise();
      if (!isOver) dispatch({ type: 'find', text, records: data?.recordNameSearch ?? [] });
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
  const leave = () => {
    const { chosen, rejectedText } = resolveText(state, value);
    if (chosen !== undefined) onChoose(chosen);
    dispatch({ type: 'close', rejectedText });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      dispatch({ type: 'close' });
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      choose(getHighlighted(state));
    } else if (event.key === 'Tab' && !event.shiftKey && text) choose(getHighlighted(state));
    else if (event.key === 'ArrowDown' && !isOpen) {
      event.preventDefault();
      search('');
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      dispatch({ type: 'highlight', index: moveIndex(event.key, active, records?.length ?? 0) ?? 0 });
    }
  };
  return { ...state, isOpen, search, choose, leave, onKeyDown };
}
