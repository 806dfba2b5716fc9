import { type FormEvent, useState } from 'react';
import { counted } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice } from '../../ui/field.tsx';
import { bulkWords } from '../bulk-words.ts';
import { inputOf } from '../document.ts';
import { enteredValue, type FormValues, formParts, withValue } from '../fields.ts';
import { FieldInput } from '../form/field-input.tsx';
import { type Described, type DescribedField, fieldNamed, keyOf } from '../model.ts';
import { recordWords } from '../words.ts';

interface EditDialogProps {
  model: Described;
  /** How many records it is about. */
  count: number;
  /** @param input as the update of a record takes it */
  onEnter(input: Record<string, unknown>): void;
  onClose(): void;
}

/** Asks for the value that a field of all chosen records gets. */
export function EditDialog({ model, count, onEnter, onClose }: EditDialogProps) {
  const fields = bulkFields(model);
  const [field, setField] = useState(fields[0]!);
  const [values, setValues] = useState<FormValues>(() => emptyOf(fields[0]!));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onEnter(inputOf([field], values, false));
  };
  return (
    <Dialog title={counted(count, bulkWords.editTitle)} onClose={onClose}>
      <form className="bulk-edit" onSubmit={submit}>
        <Choice
          label={recordWords.filterField}
          value={keyOf(field)!}
          options={fields.map((each) => [keyOf(each)!, each.label])}
          onChange={({ target }) => {
            const next = fieldNamed(model, target.value)!;
            setField(next);
            setValues(emptyOf(next));
          }}
        />
        <FieldInput
          key={field.name}
          field={field}
          value={enteredValue(field, values)}
          onEnter={(value) => setValues(withValue(field, value))}
        />
        <p className="quiet small">
          {field.type === 'MANY2MANY' ? bulkWords.replaces : bulkWords.overwrites}
        </p>
        <div className="buttons">
          <Button type="submit" look="primary">
            {counted(count, bulkWords.deeds.edit.go)}
          </Button>
          <Button onClick={onClose}>{recordWords.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Fields of which many records can get the same value, and it be undone. Pure. */
export function bulkFields(model: Described): DescribedField[] {
  const { short, long } = formParts(model);
  return [...short, ...long]
    .filter(({ type }) => type !== 'JSON')
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** Pure. */
const emptyOf = (field: DescribedField): FormValues =>
  withValue(field, field.type === 'BOOLEAN' ? false : field.type === 'MANY2MANY' ? [] : null);
