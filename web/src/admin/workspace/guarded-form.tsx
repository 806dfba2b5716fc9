import { type FormEvent, useState } from 'react';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx';
import { isAboutArgument } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, ColorField, Field, Select, TextArea } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { computeChanges, findConflicts, type GuardedValues, type LastChange } from './guarded.ts';
import { adminStrings } from './strings.ts';

interface GuardedField {
  name: string;
  label: string;
  hint?: string;
  kind?: 'text' | 'email' | 'number' | 'long' | 'code' | 'checkbox' | 'choice' | 'color';
  required?: boolean;
  /** Only for `choice`. */
  options?: readonly (readonly [value: string, label: string])[];
}

/** Values as loaded from the server, with the author and time of the last change. */
interface GuardedRecord {
  lastChange: LastChange;
  values: GuardedValues;
}

interface GuardedFormProps {
  label: string;
  fields: readonly GuardedField[];
  lastChange: LastChange;
  values: GuardedValues;
  /** Loads the current values. Null if the record was deleted. */
  loadCurrent(): Promise<GuardedRecord | null>;
  /** Saves the changes. `now` contains the values they are based on. */
  save(changes: GuardedValues, now: GuardedRecord): Promise<unknown>;
  onSaved?(): void;
}

/** A form that saves only the changed fields, and asks the user if another user has changed the same fields. */
export function GuardedForm({
  label,
  fields,
  lastChange,
  values,
  loadCurrent,
  save,
  onSaved,
}: GuardedFormProps) {
  const [base, setBase] = useState<GuardedRecord>({ lastChange, values });
  const [mine, setMine] = useState<GuardedValues>({});
  const [theirs, setTheirs] = useState<GuardedRecord | null>(null);
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const changes = computeChanges(base.values, mine);
  const isDirty = Object.keys(changes).length > 0;
  // Fields without local edits follow the server.
  if (!isDirty && buildVersionKey(base) !== buildVersionKey({ lastChange, values }))
    setBase({ lastChange, values });
  const formValues = { ...base.values, ...mine };
  const saveFrom = async (over: GuardedRecord) => {
    setIsBusy(true);
    setRejection(null);
    try {
      const now = (await loadCurrent()) ?? over;
      if (findConflicts(over.values, now.values, changes).length > 0) return setTheirs(now);
      await save(changes, now);
      setBase({ lastChange: now.lastChange, values: { ...now.values, ...changes } });
      setMine({});
      setTheirs(null);
      showToast(adminStrings.saved);
      onSaved?.();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setTheirs(null);
      setRejection(error.failure);
    } finally {
      setIsBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void saveFrom(base);
  };
  const takeTheirs = () => {
    setBase(theirs!);
    setMine({});
    setTheirs(null);
  };
  const refusedField = fields.find(({ name }) => rejection && isAboutArgument(rejection, name));
  return (
    <form className="op-form guarded" onSubmit={submit} aria-label={label}>
      <UnsavedGuard isDirty={isDirty} />
      {fields.map((field) => (
        <GuardedInput
          key={field.name}
          field={field}
          value={formValues[field.name] ?? null}
          error={refusedField === field ? rejection!.message : null}
          onChange={(value) => setMine((old) => ({ ...old, [field.name]: value }))}
        />
      ))}
      {rejection && !refusedField && (
        <p className="wrong" role="alert">
          {rejection.message}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look={isDirty ? 'primary' : 'plain'} disabled={!isDirty} isBusy={isBusy}>
          {adminStrings.save}
        </Button>
        {isDirty && (
          <Button look="ghost" onClick={() => setMine({})}>
            {adminStrings.discard}
          </Button>
        )}
      </div>
      {theirs && (
        <ConflictDialog
          fields={fields.filter(({ name }) =>
            findConflicts(base.values, theirs.values, changes).includes(name),
          )}
          lastChange={theirs.lastChange}
          mine={formValues}
          theirs={theirs.values}
          onMine={() => void saveFrom(theirs)}
          onTheirs={takeTheirs}
          onClose={() => setTheirs(null)}
        />
      )}
    </form>
  );
}

const buildVersionKey = ({ lastChange, values }: GuardedRecord): string =>
  JSON.stringify([lastChange.updatedAt, values]);

interface GuardedInputProps {
  field: GuardedField;
  value: string | boolean | null;
  error: string | null;
  onChange(value: string | boolean | null): void;
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
      autoComplete="off"
      value={text}
      onChange={({ target }) => changeText(target.value)}
    />
  );
}
