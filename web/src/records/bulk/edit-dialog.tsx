import { useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { Select } from '../../ui/form/field.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import { buildInput } from '../document.ts';
import { type FormValues, getInputValue, splitFormFields, toFormChanges } from '../fields.ts';
import { FieldInput } from '../inputs/field-input.tsx';
import { type FieldDescription, findField, getFieldKey, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';

interface EditDialogProps {
  model: ModelDescription;
  count: number;
  onEnter(input: Record<string, unknown>): void;
  onClose(): void;
}

export function EditDialog({ model, count, onEnter, onClose }: EditDialogProps) {
  const fields = getBulkFields(model);
  const [field, setField] = useState(fields[0]!);
  const [values, setValues] = useState<FormValues>(() => getEmptyValue(fields[0]!));
  return (
    <FormDialog
      title={formatCount(count, bulkStrings.editTitle)}
      submit={formatCount(count, bulkStrings.actions.edit.confirm)}
      onSubmit={() => onEnter(buildInput([field], values, false))}
      onClose={onClose}
    >
      <Select
        label={recordStrings.field}
        value={getFieldKey(field)!}
        options={fields.map((field) => [getFieldKey(field)!, field.label])}
        onChange={({ target }) => {
          const next = findField(model, target.value)!;
          setField(next);
          setValues(getEmptyValue(next));
        }}
      />
      <FieldInput
        key={field.name}
        field={field}
        value={getInputValue(field, values)}
        onEnter={(value) => setValues(toFormChanges(field, value))}
      />
      <p className="quiet small">
        {field.type === 'MANY2MANY' ? bulkStrings.replaces : bulkStrings.overwrites}
      </p>
    </FormDialog>
  );
}

/** Returns the fields that can be set in bulk and undone. */
function getBulkFields(model: ModelDescription): FieldDescription[] {
  const { short, long, technical } = splitFormFields(model);
  return [...short, ...long, ...technical]
    .filter(({ type }) => type !== 'JSON')
    .sort((a, b) => a.label.localeCompare(b.label));
}

const getEmptyValue = (field: FieldDescription): FormValues =>
  toFormChanges(field, field.type === 'BOOLEAN' ? false : field.type === 'MANY2MANY' ? [] : null);
