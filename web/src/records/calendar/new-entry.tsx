import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useFormAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toasts.tsx';
import { apiSpec, createDocument, fromApi, inputOf } from '../document.ts';
import { enteredValue, type FormValues, isEditable, withValue } from '../fields.ts';
import { FieldInput } from '../form/field-input.tsx';
import { RecordStartDocument } from '../generated.ts';
import { type Described, type DescribedField, inputKeyOf, keyOf } from '../model.ts';
import { viewWords } from '../view-words.ts';
import { recordWords } from '../words.ts';
import { dayOf } from './days.ts';
import type { DateFields } from './entries.ts';

interface NewEntryProps {
  model: Described;
  dates: DateFields;
  start: Date;
  onClose(): void;
  onCreated(): void;
}

/** Creates a record at a time, with what it cannot be without. */
export function NewEntry(props: NewEntryProps) {
  const { model, onClose } = props;
  const editable = model.fields.filter(isEditable);
  const asked = { model: model.name, ids: [], values: {}, changed: [], spec: apiSpec(editable) };
  const { data, refusal } = useAnswer(RecordStartDocument, asked);
  return (
    <Dialog title={recordWords.newOf(model.label)} onClose={onClose}>
      {refusal && <p role="alert">{refusal.message}</p>}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && (
        <EntryForm
          {...props}
          editable={editable}
          given={fromApi(editable, (data.recordOnchange as { value: Record<string, unknown> }).value)}
        />
      )}
    </Dialog>
  );
}

const HOUR = 3_600_000;

function EntryForm({
  model,
  dates: { on, until },
  start,
  editable,
  given,
  onClose,
  onCreated,
}: NewEntryProps & { editable: DescribedField[]; given: FormValues }) {
  const at = (date: Date) => (on.type === 'DATE' ? dayOf(date) : date.toISOString());
  const [values, setValues] = useState<FormValues>({
    ...given,
    [keyOf(on)!]: at(start),
    ...(until && { [keyOf(until)!]: at(on.type === 'DATE' ? start : new Date(start.getTime() + HOUR)) }),
  });
  const { isBusy, refusal, wrong, act } = useFormAct();
  const fields = shownFields(model, editable, [on, until], given);
  const create = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      await change(createDocument(model), { input: inputOf(editable, values, true) });
      say(viewWords.created);
      onCreated();
      onClose();
    });
  };
  const isAtField = fields.some((field) => wrong(inputKeyOf(field)!) !== null);
  return (
    <form className="calendar-new" onSubmit={create}>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={enteredValue(field, values)}
          onEnter={(value) => setValues((old) => ({ ...old, ...withValue(field, value) }))}
          error={wrong(inputKeyOf(field)!)}
        />
      ))}
      {refusal && !isAtField && (
        <p role="alert" className="wrong">
          {refusal.message}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {viewWords.create}
        </Button>
        <Button onClick={onClose}>{viewWords.cancel}</Button>
      </div>
    </form>
  );
}

/** The name, the times, and what a record has to have and gets from nowhere else. Pure. */
function shownFields(
  { displayField }: Described,
  editable: DescribedField[],
  times: (DescribedField | null)[],
  given: FormValues,
): DescribedField[] {
  const isEmpty = (field: DescribedField) => (given[inputKeyOf(field)!] ?? '') === '';
  const isNeeded = (field: DescribedField) =>
    field.required && field.type !== 'BOOLEAN' && field.type !== 'ONE2MANY' && isEmpty(field);
  const name = editable.filter((field) => field.name === displayField);
  const needed = editable.filter(
    (field) => isNeeded(field) && !times.includes(field) && !name.includes(field),
  );
  return [...name, ...times.flatMap((field) => (field && isEditable(field) ? field : [])), ...needed];
}
