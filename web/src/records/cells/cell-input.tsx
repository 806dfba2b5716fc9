import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { NamedRecord } from '../document.ts';
import { FieldInput } from '../inputs/field-input.tsx';
import { RecordPicker } from '../inputs/record-picker.tsx';
import type { CellDirection } from './cell-position.ts';
import type { EditedCell } from './use-cells.ts';

interface CellInputProps {
  edited: EditedCell;
  /** @param direction where to move the focus; null if it has already moved */
  onSave(value: unknown, direction: CellDirection | null): void;
  onLeave(): void;
}

/** A cell's input. Enter and Tab save and move on, blur saves, and Escape cancels. */
export function CellInput({ edited, onSave, onLeave }: CellInputProps) {
  const { field, error } = edited;
  const [value, setValue] = useState(edited.value);
  const box = useRef<HTMLDivElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    const input = box.current!.querySelector<HTMLInputElement>('input, select, textarea')!;
    input.focus();
    if (input instanceof HTMLInputElement && SELECTED_TYPES.has(input.type)) input.select();
  }, []);
  const save = (value: unknown, direction: CellDirection | null) => {
    const input = box.current?.querySelector<HTMLInputElement>('input, select, textarea');
    if (isOver.current) return;
    if (direction && input && field.type !== 'MANY2ONE' && !input.reportValidity()) return;
    isOver.current = true;
    // An invalid input must not be saved as an empty value.
    if (!direction && input && !input.validity.valid) onLeave();
    else onSave(value, direction);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape') {
      isOver.current = true;
      event.preventDefault();
      return onLeave();
    }
    const direction = event.key === 'Enter' ? 'down' : event.key === 'Tab' ? getTabDirection(event) : null;
    if (!direction) return;
    event.preventDefault();
    save(value, direction);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside handles keys
    <div
      ref={box}
      className={error ? 'cell-edit wrong-value' : 'cell-edit'}
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => {
        if (!box.current!.contains(relatedTarget)) save(value, null);
      }}
    >
      {field.type === 'MANY2ONE' ? (
        <RecordPicker
          label={field.label}
          model={field.relation!}
          value={value as NamedRecord | null}
          error={error}
          isBare
          onChoose={(record) => {
            setValue(record);
            if (record || !field.required) save(record, 'down');
          }}
        />
      ) : (
        <FieldInput field={{ ...field, help: null }} value={value} onEnter={setValue} error={error} />
      )}
    </div>
  );
}

/** Input types whose text is selected, so that typing replaces it. */
const SELECTED_TYPES = new Set(['text', 'number']);

const getTabDirection = ({ shiftKey }: KeyboardEvent): CellDirection => (shiftKey ? 'previous' : 'next');
