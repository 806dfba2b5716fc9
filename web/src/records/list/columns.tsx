import { useState } from 'react';
import { DialogOpener } from '../../shell/action-buttons.tsx';
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

export const Columns = (props: ColumnsProps) => (
  <DialogOpener look="ghost" icon="columns" label={recordStrings.columns}>
    {(onClose) => <ColumnDialog {...props} onClose={onClose} />}
  </DialogOpener>
);

function ColumnDialog({ model, columns, keep, show, onClose }: ColumnsProps & { onClose(): void }) {
  const [columnKeys, setColumnKeys] = useState(columns);
  const others = getColumnFields(model)
    .map((field) => getFieldKey(field)!)
    .filter((key) => !columnKeys.includes(key));
  const label = (key: string) => (key === 'displayName' ? recordStrings.name : findField(model, key)!.label);
  const up = (index: number) =>
    setColumnKeys(columnKeys.with(index - 1, columnKeys[index]!).with(index, columnKeys[index - 1]!));
  const choose = async (keys: string[] | null) => {
    onClose();
    await keep(keys);
    show({ cols: undefined });
  };
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
        <Button look="primary" onClick={() => choose(columnKeys)}>
          {recordStrings.save}
        </Button>
        <Button onClick={() => choose(null)}>{recordStrings.reset}</Button>
      </DialogButtons>
    </Dialog>
  );
}
