import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { isAboutArgument } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, ColorField, Field, Select, TextArea } from '../../ui/form/field.tsx';
import { Form, FormError } from '../../ui/form/form.tsx';
import { type FieldValue, findConflicts, type GuardedRecord, type LastChange } from './guarded.ts';
import { GuardedConflict } from './guarded-conflict.tsx';
import { adminStrings } from './strings.ts';
import { useGuardedValues } from './use-guarded-values.ts';

interface GuardedField<Name extends string = string> {
  name: Name;
  label: string;
  hint?: string;
  kind?: 'text' | 'email' | 'number' | 'long' | 'code' | 'checkbox' | 'choice' | 'color';
  required?: boolean;
  /** Only for `choice`. */
  options?: readonly (readonly [value: string, label: string])[];
}

interface GuardedFormProps<Name extends string, Facts extends LastChange & Record<Name, FieldValue>> {
  label: string;
  fields: readonly GuardedField<Name>[];
  /** The values of the fields, and their last change. */
  facts: Facts;
  /** True if the version covers all values, which is the default for a record with a version. */
  isVersioned?: boolean;
  /** Returns null if the record was deleted. */
  loadCurrent(): Promise<Facts | null>;
  /** Saves the changes. `now` contains the values that they are based on. */
  save(changes: Partial<Pick<Facts, Name>>, now: Facts): Promise<unknown>;
  onSaved?(): void;
}

/** A form that saves only changed fields. If another user has changed the same fields, it asks which values to keep. */
export function GuardedForm<Name extends string, Facts extends LastChange & Record<Name, FieldValue>>({
  label,
  fields,
  facts,
  isVersioned = facts.version !== null,
  loadCurrent,
  save,
  onSaved,
}: GuardedFormProps<Name, Facts>) {
  const toRecord = (lastChange: Facts): GuardedRecord => ({
    lastChange,
    values: Object.fromEntries(fields.map(({ name }) => [name, lastChange[name]])),
  });
  const { state, dispatch, changes, isDirty, saveOver } = useGuardedValues({
    received: toRecord(facts),
    isVersioned,
    loadCurrent: async () => {
      const now = await loadCurrent();
      return now && toRecord(now);
    },
    // The changes have the names of the fields.
    save: (changes, { lastChange, values }) =>
      save(changes as Partial<Pick<Facts, Name>>, { ...lastChange, ...values } as Facts),
    onSaved,
  });
  const { base, edits, theirs, refusal } = state;
  const formValues = { ...base.values, ...edits };
  const refusedField = fields.find(({ name }) => refusal && isAboutArgument(refusal, name));
  return (
    <Form className="guarded" onSubmit={() => void saveOver(base)} aria-label={label}>
      <UnsavedGuard isDirty={isDirty} />
      {fields.map((field) => (
        <GuardedInput
          key={field.name}
          field={field}
          value={formValues[field.name] ?? null}
          error={refusedField === field ? refusal!.message : null}
          onChange={(value) => dispatch({ kind: 'edit', name: field.name, value })}
        />
      ))}
      {!refusedField && <FormError message={refusal?.message} />}
      <div className="buttons">
        <Button
          type="submit"
          look={isDirty ? 'primary' : 'plain'}
          disabled={!isDirty}
          isBusy={state.isSaving}
        >
          {adminStrings.save}
        </Button>
        {isDirty && (
          <Button look="ghost" onClick={() => dispatch({ kind: 'discard' })}>
            {adminStrings.discard}
          </Button>
        )}
      </div>
      {theirs && (
        <GuardedConflict
          fields={fields.filter(({ name }) =>
            findConflicts(base.values, theirs.values, changes).includes(name),
          )}
          lastChange={theirs.lastChange}
          mine={formValues}
          theirs={theirs.values}
          onMine={() => void saveOver(theirs)}
          onTheirs={() => dispatch({ kind: 'takeTheirs' })}
          onClose={() => dispatch({ kind: 'closeConflict' })}
        />
      )}
    </Form>
  );
}

interface GuardedInputProps {
  field: GuardedField;
  value: FieldValue;
  error: string | null;
  onChange(value: FieldValue): void;
}

function GuardedInput({ field, value, error, onChange }: GuardedInputProps) {
  const { label, hint, kind = 'text', required = false, options = [] } = field;
  const text = String(value ?? '');
  // The server expects null instead of an empty string.
  const changeText = (typed: string) => onChange(typed === '' && !required ? null : typed);
  if (kind === 'checkbox')
    return (
      <Checkbox
        label={label}
        hint={error ?? hint}
        checked={value === true}
        onChange={({ target }) => onChange(target.checked)}
      />
    );
  if (kind === 'choice')
    return (
      <Select
        label={label}
        hint={hint}
        error={error}
        options={options}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  if (kind === 'color')
    return (
      <ColorField
        label={label}
        pickerLabel={adminStrings.pickColor(label)}
        hint={hint}
        error={error}
        value={text}
        onEnter={changeText}
      />
    );
  if (kind === 'long' || kind === 'code')
    return (
      <TextArea
        label={label}
        hint={hint}
        error={error}
        className={kind === 'code' ? 'code' : undefined}
        spellCheck={kind !== 'code'}
        value={text}
        onChange={({ target }) => changeText(target.value)}
      />
    );
  return (
    <Field
      type={kind}
      min={kind === 'number' ? 1 : undefined}
      label={label}
      hint={hint}
      error={error}
      required={required}
      value={text}
      onChange={({ target }) => changeText(target.value)}
    />
  );
}
