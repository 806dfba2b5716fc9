import './record-picker.css';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { client } from '../../graphql/client.ts';
import { moveIndex } from '../../ui/virtual-list.tsx';
import type { NamedRecord } from '../document.ts';
import { RecordNamesDocument } from '../generated.ts';
import { recordStrings } from '../strings.ts';

interface RecordPickerProps {
  label: string;
  model: string;
  value: NamedRecord | null;
  onChoose(record: NamedRecord | null): void;
  required?: boolean;
  hint?: string | null;
  error?: string | null;
  /** Hides the label visually. */
  isBare?: boolean;
}

/** Maximum number of suggestions. */
const MAX_OFFERED = 10;
/** Milliseconds after the last keystroke before the server is queried. */
const SEARCH_DELAY_MS = 150;

const isSameName = (a: string, b: string): boolean => a.toLocaleLowerCase() === b.toLocaleLowerCase();

/** Selects a record by typing part of its name (ARIA combobox). */
export function RecordPicker(props: RecordPickerProps) {
  const { label, model, value, onChoose, required, hint, error, isBare = false } = props;
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const [matchingRecords, setMatchingRecords] = useState<NamedRecord[] | null>(null);
  /** Text that the suggestions were loaded for. */
  const [foundFor, setFoundFor] = useState('');
  const [at, setAt] = useState(0);
  /** Text that was entered without selecting a record. */
  const [rejectedText, setRejectedText] = useState('');
  const isOpen = text !== null;
  useEffect(() => {
    if (text === null) return;
    let isOver = false;
    const search = async () => {
      const variables = { model, name: text, limit: MAX_OFFERED };
      const { data } = await client
        .query(RecordNamesDocument, variables, { requestPolicy: 'network-only' })
        .toPromise();
      if (isOver) return;
      setMatchingRecords(data?.recordNameSearch ?? []);
      setFoundFor(text);
      setAt(0);
    };
    const waiting = window.setTimeout(() => void search(), text === '' ? 0 : SEARCH_DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(waiting);
    };
  }, [text, model]);
  const close = () => {
    setText(null);
    setMatchingRecords(null);
    setRejectedText('');
  };
  const choose = (record: NamedRecord | undefined) => {
    if (!record) return;
    onChoose(record);
    close();
  };
  const leave = () => {
    const entered = text?.trim() ?? '';
    const matches = matchingRecords?.filter(({ displayName }) => isSameName(displayName, entered)) ?? [];
    if (matches.length === 1 && matches[0]!.id !== value?.id) return choose(matches[0]);
    // Clearing the text removes the record. An incomplete name changes nothing.
    if (text === '' && value) onChoose(null);
    close();
    if (entered && !isSameName(entered, value?.displayName ?? '')) setRejectedText(entered);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      if (foundFor === text) choose(matchingRecords?.[at]);
    } else if (event.key === 'Tab' && !event.shiftKey && text && foundFor === text)
      choose(matchingRecords?.[at]);
    else if (event.key === 'ArrowDown' && !isOpen) {
      event.preventDefault();
      setText('');
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt(moveIndex(event.key, at, matchingRecords?.length ?? 0) ?? 0);
    }
  };
  const isNone = isOpen && matchingRecords?.length === 0;
  const message = isNone
    ? recordStrings.noResults
    : rejectedText && !isOpen && recordStrings.textDiscarded(rejectedText);
  return (
    <div className="field choose-record">
      <label htmlFor={id} className={isBare ? 'sr' : undefined}>
        {label}
      </label>
      <input
        id={id}
        role="combobox"
        autoComplete="off"
        required={required}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && matchingRecords?.[at] ? `${id}-${at}` : undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-about`}
        placeholder={recordStrings.searchRecord}
        value={text ?? value?.displayName ?? ''}
        onChange={({ target }) => setText(target.value)}
        onClick={() => !isOpen && setText('')}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen || !matchingRecords?.length}>
        {matchingRecords?.map((record, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the focused input handles keys
          <div
            key={record.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // Keeps the focus in the input, so that blur is not handled before the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(record)}
          >
            {record.displayName}
          </div>
        ))}
      </div>
      <p
        id={`${id}-about`}
        className={error ? 'about wrong' : 'about quiet'}
        role={error ? 'alert' : 'status'}
      >
        {error || message || hint}
      </p>
    </div>
  );
}
