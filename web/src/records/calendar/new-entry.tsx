import { type FormEvent, useState } from 'react';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Loading } from '../../shell/loading.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { buildCreateMutation, buildInput } from '../document.ts';
import { type FormValues, getInputValue, isEditable, toFormChanges } from '../fields.ts';
import { useInitialValues } from '../form/onchange.ts';
import { createRecord } from '../form/save-record.ts';
import { FieldInput } from '../inputs/field-input.tsx';
import { type FieldDescription, getFieldKey, getInputKey, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { viewStrings } from '../view-strings.ts';
import { toDayString } from './days.ts';
import type { DateFields } from './entries.ts';

interface NewEntryDialogProps {
  model: ModelDescription;
  dates: DateFields;
  start: Date;
  onClose(): void;
  onCreated(): void;
}

/** Creates a record at the given time, in a form with only the required fields. */
export function NewEntryDialog(props: NewEntryDialogProps) {
  const { model, onClose } = props;
  const { initialValues, refusal } = useInitialValues(model);
  return (
    <Dialog title={recordStrings.newNamed(model.label)} onClose={onClose}>
      {refusal && <p role="alert">{refusal.message}</p>}
      {!initialValues && !refusal && <Loading />}
      {initialValues && <EntryForm {...props} initialValues={initialValues} />}
    </Dialog>
  );
}

const HOUR_MS = 3_600_000;

function EntryForm({
  model,
  dates: { on, until },
  start,
  initialValues,
  onClose,
  onCreated,
}: NewEntryDialogProps & { initialValues: FormValues }) {
  const editable = model.fields.filter(isEditable);
  const formatTime = (date: Date) => (on.type === 'DATE' ? toDayString(date) : date.toISOString());
  const [values, setValues] = useState<FormValues>({
    ...initialValues,
    [getFieldKey(on)!]: formatTime(start),
    ...(until && {
      [getFieldKey(until)!]: formatTime(on.type === 'DATE' ? start : new Date(start.getTime() + HOUR_MS)),
    }),
  });
  const { isBusy, getFieldError, getFormError, act } = useFormAction(undefined, values);
  const fields = getFormFields(model, editable, [on, until], initialValues);
  const create = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      await createRecord(buildCreateMutation(model, []), buildInput(editable, values, true));
      showToast(viewStrings.created);
      onCreated();
      onClose();
    });
  };
  return (
    <form className="stack" onSubmit={create}>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={getInputValue(field, values)}
          onEnter={(value) => setValues((old) => ({ ...old, ...toFormChanges(field, value) }))}
          error={getFieldError(getInputKey(field)!)}
        />
      ))}
      <FormError message={getFormError(fields.map((field) => getInputKey(field)!))} />
      <DialogButtons onClose={onClose}>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {viewStrings.create}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Returns the name, the times, and required fields without a default. */
function getFormFields(
  { displayField }: ModelDescription,
  editable: FieldDescription[],
  times: (FieldDescription | null)[],
  initialValues: FormValues,
): FieldDescription[] {
  const isEmpty = (field: FieldDescription) => (initialValues[getInputKey(field)!] ?? '') === '';
  const isNeeded = (field: FieldDescription) =>
    field.required && field.type !== 'BOOLEAN' && field.type !== 'ONE2MANY' && isEmpty(field);
  const name = editable.filter((field) => field.name === displayField);
  const needed = editable.filter(
    (field) => isNeeded(field) && !times.includes(field) && !name.includes(field),
  );
  return [...name, ...times.flatMap((field) => (field && isEditable(field) ? field : [])), ...needed];
}
