import { useState } from 'react';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/form/field.tsx';
import type { RecordsView } from '../address.ts';
import { findField, getColumnFields, getFieldKey, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';

interface ColumnsProps {
  model: ModelDescription;
  columns: string[];
  keep(columns: string[] | null): Promise<void>;
  show(changes: RecordsView): void;
}

export function Columns({ model, columns, keep, show }: ColumnsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="ghost" icon="columns" onClick={() => setIsOpen(true)}>
        {recordStrings.columns}
      </Button>
      {isOpen && (
        <ColumnDialog
          model={model}
          columns={columns}
          onChoose={async (columnKeys) => {
            setIsOpen(false);
            await keep(columnKeys);
            show({ cols: undefined });
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

interface ColumnDialogProps {
  model: ModelDescription;
  columns: string[];
  onChoose(columns: string[] | null): Promise<void>;
  onClose(): void;
}

function ColumnDialog({ model, columns, onChoose, onClose }: ColumnDialogProps) {
  const [columnKeys, setColumnKeys] = useState(columns);
  const others = getColumnFields(model)
    .map((field) => getFieldKey(field)!)
    .filter((key) => !columnKeys.includes(key));
  const label = (key: string) => (key === 'displayName' ? recordStrings.name : findField(model, key)!.label);
  const up = (index: number) =>
    setColumnKeys(columnKeys.with(index - 1, columnKeys[index]!).with(index, columnKeys[index - 1]!));
  return (
    <Dialog title={recordStrings.columns} onClose={onClose}>
      <p>{recordStrings.columnsText}</p>
      <ul className="columns">
        {columnKeys.map((key, index) => (
          <li key={key}>
            <Checkbox
              label={label(key)}
              checked
              disabled={columnKeys.length === 1}
              onChange={() => setColumnKeys(columnKeys.filter((columnKey) => columnKey !== key))}
            />
            {index > 0 && (
              <IconButton icon="up" label={recordStrings.moveUp(label(key))} onClick={() => up(index)} />
            )}
          </li>
        ))}
        {others.map((key) => (
          <li key={key}>
            <Checkbox
              label={label(key)}
              checked={false}
              onChange={() => setColumnKeys([...columnKeys, key])}
            />
          </li>
        ))}
      </ul>
      <DialogButtons onClose={onClose}>
        <Button look="primary" onClick={() => onChoose(columnKeys)}>
          {recordStrings.save}
        </Button>
        <Button onClick={() => onChoose(null)}>{recordStrings.reset}</Button>
      </DialogButtons>
    </Dialog>
  );
}
