import './record-picker.css';
import { useId } from 'react';
import type { NamedRecord } from '../document.ts';
import { recordStrings } from '../strings.ts';
import { useRecordPicker } from './use-record-picker.ts';

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

/** Selects a record by typing part of its name (ARIA combobox). */
export function RecordPicker(props: RecordPickerProps) {
  const { label, value, required, hint, error, isBare = false } = props;
  const id = useId();
  const picker = useRecordPicker(props);
  const { text, records, active, rejectedText, isOpen, search, leave, onKeyDown } = picker;
  const message =
    isOpen && records?.length === 0
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
        aria-activedescendant={isOpen && records?.[active] ? `${id}-${active}` : undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-about`}
        placeholder={recordStrings.searchRecord}
        value={text ?? value?.displayName ?? ''}
        onChange={({ target }) => search(target.value)}
        onClick={() => !isOpen && search('')}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      <Suggestions id={id} label={label} picker={picker} />
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

interface SuggestionsProps {
  /** Id of the input, which holds the focus and handles the keys. */
  id: string;
  label: string;
  picker: ReturnType<typeof useRecordPicker>;
}

const Suggestions = ({ id, label, picker: { isOpen, records, active, choose } }: SuggestionsProps) => (
  <div id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen || !records?.length}>
    {records?.map((record, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the focused input handles keys
      <div
        key={record.id}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        // Keeps the focus in the input, so that blur is not handled before the click.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => choose(record)}
      >
        {record.displayName}
      </div>
    ))}
  </div>
);
