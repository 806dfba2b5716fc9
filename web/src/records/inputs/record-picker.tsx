import './record-picker.css';
import { useId } from 'react';
import { SuggestionList } from '../../ui/form/suggestion-list.tsx';
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
  const { text, records, active, isMissing, isOpen, search, choose, leave, onInvalid, onKeyDown } = picker;
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
        aria-invalid={error || isMissing ? true : undefined}
        aria-describedby={`${id}-about`}
        placeholder={recordStrings.searchRecord}
        value={text ?? value?.displayName ?? ''}
        onChange={({ target }) => search(target.value)}
        onClick={() => !isOpen && search('')}
        onInvalid={onInvalid}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      <SuggestionList<NamedRecord>
        id={id}
        label={label}
        items={(isOpen && records) || []}
        selected={active}
        getKey={(record) => record.id}
        renderItem={(record) => record.displayName}
        onChoose={choose}
      />
      <p
        id={`${id}-about`}
        className={error ? 'about wrong' : 'about quiet'}
        role={error ? 'alert' : 'status'}
      >
        {error || getPickerHint(picker) || hint}
      </p>
    </div>
  );
}

function getPickerHint({ isOpen, records, rejectedText, isMissing }: ReturnType<typeof useRecordPicker>) {
  if (isOpen) return records?.length === 0 && recordStrings.noResults;
  if (rejectedText) return recordStrings.textDiscarded(rejectedText);
  return isMissing && recordStrings.selectFromList;
}
