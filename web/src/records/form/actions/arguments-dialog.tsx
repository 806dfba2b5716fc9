import { useState } from 'react';
import { FormDialog } from '../../../shell/dialogs/form-dialog.tsx';
import { TextArea } from '../../../ui/form/field.tsx';
import type { NamedRecord } from '../../document.ts';
import { RecordPicker } from '../../inputs/record-picker.tsx';
import type { FormAction } from '../../model.ts';

interface ArgumentsDialogProps {
  action: FormAction;
  onSubmit(values: Record<string, string>): Promise<void>;
  onClose(): void;
}

/** Asks for the arguments of an operation. All of them are optional. */
export function ArgumentsDialog({ action, onSubmit, onClose }: ArgumentsDialogProps) {
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [records, setRecords] = useState<Record<string, NamedRecord | null>>({});
  const submit = () => {
    const ids = Object.entries(records).flatMap(([name, record]) => (record ? [[name, record.id]] : []));
    return onSubmit({ ...texts, ...Object.fromEntries(ids) });
  };
  return (
    <FormDialog title={action.label} onSubmit={submit} onClose={onClose}>
      {action.question && <p>{action.question}</p>}
      {action.arguments.map(({ name, label, relation }) =>
        relation ? (
          <RecordPicker
            key={name}
            label={label}
            model={relation}
            value={records[name] ?? null}
            onChoose={(record) => setRecords((old) => ({ ...old, [name]: record }))}
          />
        ) : (
          <TextArea
            key={name}
            name={name}
            label={label}
            value={texts[name] ?? ''}
            onChange={({ target: { value } }) => setTexts((old) => ({ ...old, [name]: value }))}
          />
        ),
      )}
    </FormDialog>
  );
}
