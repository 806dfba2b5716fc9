import './form.css';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Screen } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form/form.tsx';
import { findStageField } from '../board-fields.ts';
import { matchesConditions } from '../conditions.ts';
import { Discussion } from '../discussion/discussion.tsx';
import { getRights, type LineEdits, type RecordValues } from '../document.ts';
import { acceptsFile, getInputValue, isEditable, splitFormFields } from '../fields.ts';
import { type FieldDescription, getFieldKey, getInputKey, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { AccessReasonButton } from '../why/why-not.tsx';
import { FormActions } from './actions/form-actions.tsx';
import { Files } from './files.tsx';
import { Facts, FormFields, RecordFacts } from './form-fields.tsx';
import { Lines } from './lines.tsx';
import { RecordConflict } from './record-conflict.tsx';
import { RecordPager } from './record-pager.tsx';
import { StatusBar } from './status-bar.tsx';
import { type RecordFormProps, type RecordFormState, useRecordForm } from './use-record-form.ts';

export function RecordForm(props: RecordFormProps) {
  const { model, record, reload } = props;
  const form = useRecordForm(props);
  const element = useRef<HTMLFormElement>(null);
  const save = (version?: RecordValues) => form.save(() => element.current!.reportValidity(), version);
  const isNew = record === null;
  // Runs after the page has focused its heading.
  useEffect(() => {
    if (isNew) element.current?.querySelector<HTMLElement>(FIRST_INPUT)?.focus();
  }, [isNew]);
  useShortcuts([{ keys: '$mod+s', label: recordStrings.save, run: () => void save() }]);
  const { short, long, technical, lines, facts } = splitFormFields(model);
  const totals = facts.filter(({ type }) => type === 'MONETARY');
  const canWrite = getRights(model).update;
  const parts = { model, record, form };
  return (
    <Screen
      title={form.base ? String(form.base.displayName) : recordStrings.newNamed(model.label)}
      actions={
        <div className="form-actions">
          {record && (
            <div className="record-actions">
              <FormActions model={model} record={record} isDirty={form.isDirty} reload={reload} />
            </div>
          )}
          {form.mayEdit && <SaveButtons isNew={isNew} form={form} onSave={() => void save()} />}
        </div>
      }
    >
      <RecordOrigin model={model} record={record} />
      <RecordStage {...parts} />
      <SaveFailure {...parts} />
      <div className="record-page">
        <div>
          <form
            ref={element}
            className="record-form"
            // `save` validates, because the server computes required values such as addresses first.
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void save();
            }}
          >
            <div className="short-fields">
              <FormFields model={model} fields={short} form={form} />
            </div>
            {lines.map((field) => (
              <Lines
                key={field.name}
                parentModel={model}
                field={field}
                parent={record}
                edits={form.changes[getInputKey(field)!] as LineEdits | undefined}
                computed={form.lines[field.name]}
                rowKeys={form.rowKeys}
                isSaving={form.isSaving}
                totals={<Facts model={model} fields={totals} record={form.values as RecordValues} />}
                canEdit={form.mayEdit && isEditable(field)}
                onEdit={(changes) => form.enter(field, changes)}
              />
            ))}
            {long.length > 0 && (
              <div className="long-fields">
                <FormFields model={model} fields={long} form={form} />
              </div>
            )}
            {technical.length > 0 && (
              <details className="card" open={technical.some(form.getFieldError) || undefined}>
                <summary>{recordStrings.technicalFields}</summary>
                <div className="short-fields">
                  <FormFields model={model} fields={technical} form={form} />
                </div>
              </details>
            )}
            <button type="submit" hidden />
          </form>
          {record && <RecordFacts model={model} fields={facts} record={form.values as RecordValues} />}
          {record && <Files key={record.id} model={model.name} id={record.id} canWrite={canWrite} />}
        </div>
        {record && <Discussion model={model} id={record.id} canWrite={canWrite} />}
      </div>
      <ConcurrentChange model={model} form={form} save={save} reload={reload} />
      <UnsavedGuard isDirty={form.isDirty} keepsInput={() => true} />
    </Screen>
  );
}

const FIRST_INPUT = 'input:not([type=file], [type=checkbox], [readonly], :disabled), textarea, select';

interface SaveButtonsProps {
  isNew: boolean;
  form: RecordFormState;
  onSave(): void;
}

/** The buttons stay in place when a record is created, so that a double click cannot hit another button. */
const SaveButtons = ({ isNew, form: { isSaving, isDirty, reset }, onSave }: SaveButtonsProps) => (
  <>
    <Button look="primary" isBusy={isSaving} disabled={!isNew && !isDirty} onClick={onSave}>
      {recordStrings.save}
    </Button>
    <Button disabled={!isDirty} onClick={reset}>
      {recordStrings.discard}
    </Button>
  </>
);

interface FormPartProps {
  model: ModelDescription;
  record: RecordValues | null;
  form: RecordFormState;
}

/** Links to the list that the record was opened from, and to the record's neighbors in the list. */
function RecordOrigin({ model, record }: Omit<FormPartProps, 'form'>) {
  const { at: _at, ...list } = useSearch({ from: '/records/$model/$id' });
  return (
    <div className="record-top">
      <p className="small">
        <Link to="/records/$model" params={{ model: model.name }} search={list}>
          ‹ {model.pluralLabel}
        </Link>
        {record?.active === false && <strong className="archived"> {recordStrings.isArchived}</strong>}
      </p>
      {record && <RecordPager model={model} id={record.id} />}
    </div>
  );
}

function RecordStage({ model, record, form: { values, mayEdit, enter } }: FormPartProps) {
  const stage = findStageField(model);
  if (!stage || !(record || isEditable(stage))) return null;
  return (
    <StatusBar
      field={stage}
      value={isEditable(stage) ? getInputValue(stage, values) : values[getFieldKey(stage)!]}
      onEnter={mayEdit && isEditable(stage) ? (value) => enter(stage, value) : undefined}
    />
  );
}

/** Shows the error of the last save unless a field shows it, and explains missing permissions. */
function SaveFailure({ model, record, form: { values, failure, getFieldError } }: FormPartProps) {
  const isAtField = getSingleFields(model).some(
    (field) => getFieldError(field) !== null && matchesConditions(model, values, field.conditions),
  );
  const isDenied =
    (record && !getRights(model).update) || failure?.code === 'ACCESS_ERROR' || failure?.code === 'FORBIDDEN';
  return (
    <>
      {!isAtField && <FormError message={failure?.message} />}
      {isDenied && (
        <AccessReasonButton model={model} id={record?.id ?? null} wished={record ? 'write' : 'create'} />
      )}
    </>
  );
}

interface ConcurrentChangeProps {
  model: ModelDescription;
  form: RecordFormState;
  save(version: RecordValues): void;
  reload(): void;
}

function ConcurrentChange({ model, form, save, reload }: ConcurrentChangeProps) {
  const { changes, values, theirs, reset, closeConflict } = form;
  if (!theirs) return null;
  return (
    <RecordConflict
      model={model}
      fields={getSingleFields(model).filter((field) => getInputKey(field)! in changes)}
      mine={values as RecordValues}
      theirs={theirs}
      onMine={() => save(theirs)}
      onTheirs={() => {
        reset();
        reload();
      }}
      onClose={closeConflict}
    />
  );
}

const getSingleFields = ({ fields }: ModelDescription): FieldDescription[] =>
  [...fields.filter(isEditable), ...fields.filter(acceptsFile)].filter(({ type }) => type !== 'ONE2MANY');
