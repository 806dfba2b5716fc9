import './form.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { client, runMutation } from '../../graphql/client.ts';
import { useLiveChanges } from '../../graphql/live.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { findStageField } from '../board-fields.ts';
import {
  buildApiSpec,
  buildCreateMutation,
  buildInput,
  buildRecordQuery,
  buildUpdateMutation,
  fromApiValues,
  getRights,
  type RecordResult,
  type RecordValues,
  toApiValues,
} from '../document.ts';
import {
  acceptsFile,
  type FormValues,
  getInputValue,
  isEditable,
  splitFormFields,
  toFormChanges,
  triggersOnchange,
} from '../fields.ts';
import { type FileValue, FileView, type RecordFile } from '../file-value.tsx';
import { RecordStartDocument } from '../generated.ts';
import {
  type FieldDescription,
  getFieldKey,
  getInputKey,
  isSystemField,
  type ModelDescription,
  useModel,
} from '../model.ts';
import { NoModel } from '../no-model.tsx';
import { recordStrings } from '../strings.ts';
import { formatFieldValue } from '../value.tsx';
import { WhyNot } from '../why/why-not.tsx';
import { Discussion } from './discussion.tsx';
import { FieldInput } from './field-input.tsx';
import { FileInput } from './file-input.tsx';
import { Files } from './files.tsx';
import { FormActions } from './form-actions.tsx';
import { Lines } from './lines.tsx';
import { RecordConflict } from './record-conflict.tsx';
import { RecordPager } from './record-pager.tsx';
import { withFiles } from './send-files.ts';
import { StatusBar } from './status-bar.tsx';

export function RecordPage() {
  const { model: name, id } = useParams({ from: '/records/$model/$id' });
  const { model, refusal, reload } = useModel(name);
  if (refusal?.code === 'NOT_FOUND_MODEL' || (model && !model.queryField) || model?.access.read === false)
    return <NoModel />;
  if (!model)
    return (
      <Screen title={recordStrings.title} needs="modelDescribe">
        {refusal ? <LoadError refusal={refusal} onAgain={reload} /> : <Loading />}
      </Screen>
    );
  return id === 'new' ? (
    <NewRecord key={name} model={model} />
  ) : (
    <ExistingRecord key={`${name} ${id}`} model={model} id={id} />
  );
}

function NewRecord({ model }: { model: ModelDescription }) {
  const fields = model.fields.filter(isEditable);
  const { data, refusal, reload } = useGraphqlQuery(RecordStartDocument, {
    model: model.name,
    ids: [],
    values: {},
    changed: [],
    spec: buildApiSpec(fields),
  });
  if (!data || !getRights(model).create)
    return (
      <Screen title={recordStrings.newNamed(model.label)} needs="modelDescribe">
        {refusal && <LoadError refusal={refusal} onAgain={reload} />}
        {!data && !refusal && <Loading />}
        {!getRights(model).create && (
          <EmptyState title={shellStrings.notAllowed}>
            <p>{shellStrings.notAllowedText}</p>
            <WhyNot model={model} id={null} wished="create" />
          </EmptyState>
        )}
      </Screen>
    );
  const { value } = data.recordOnchange as { value: Record<string, unknown> };
  return <RecordForm model={model} record={null} start={fromApiValues(fields, value)} reload={reload} />;
}

function ExistingRecord({ model, id }: { model: ModelDescription; id: string }) {
  const document = buildRecordQuery(model, getQueryFields(model))!;
  const { data, refusal, reload } = useGraphqlQuery<RecordResult, { id: string }>(document, { id });
  useLiveChanges(model.name, (change) => {
    if (change.id === null || change.id === id) reload();
  });
  if (data?.record) return <RecordForm model={model} record={data.record} start={{}} reload={reload} />;
  return (
    <Screen title={model.label} needs="modelDescribe">
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!refusal && !data && <Loading />}
      {data?.record === null && (
        <EmptyState title={recordStrings.recordNotFound}>
          <p>{recordStrings.recordNotFoundText}</p>
        </EmptyState>
      )}
    </Screen>
  );
}

/** Returns the fields that a form loads: all except messages and lines, which are loaded separately. */
const getQueryFields = (model: ModelDescription): FieldDescription[] => {
  const { short, long, facts } = splitFormFields(model);
  return [
    ...short,
    ...long,
    ...facts,
    ...model.fields.filter((field) => isSystemField(field) || field.name === 'active'),
  ];
};

interface RecordFormProps {
  model: ModelDescription;
  /** Last version from the server. Null for a new record. */
  record: RecordValues | null;
  start: FormValues;
  reload(): void;
}

function RecordForm({ model, record, start, reload }: RecordFormProps) {
  const navigate = useNavigate();
  const { at: _at, ...list } = useSearch({ from: '/records/$model/$id' });
  const [changes, setChanges] = useState<FormValues>(start);
  const [isDirty, setIsDirty] = useState(false);
  const [baseRecord, setBaseRecord] = useState(record);
  const [theirs, setTheirs] = useState<RecordValues | null>(null);
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [round, setRound] = useState(0);
  const [shares, setShares] = useState<Record<string, number>>({});
  const form = useRef<HTMLFormElement>(null);
  const rights = getRights(model);
  const mayEdit = record ? rights.update : rights.create;
  // While there are unsaved changes, keeps the version they are based on, so that concurrent changes are detected.
  useEffect(() => {
    if (!isDirty) setBaseRecord(record);
  }, [record, isDirty]);
  const fields = model.fields.filter(isEditable);
  const fileFields = model.fields.filter(acceptsFile);
  const values: FormValues = { ...baseRecord, ...changes };
  const latest = useRef(values);
  latest.current = values;
  const enter = (field: FieldDescription, value: unknown) => {
    const enteredValues = toFormChanges(field, value);
    setIsDirty(true);
    setChanges((old) => ({ ...old, ...enteredValues }));
    if (triggersOnchange(field)) void follow(field, { ...latest.current, ...enteredValues });
  };
  /** Requests the values that depend on a change from the server, and displays them before the record is saved. */
  const follow = async (field: FieldDescription, now: FormValues) => {
    const variables = {
      model: model.name,
      ids: record ? [record.id] : [],
      values: toApiValues(fields, now),
      changed: [field.name],
      spec: buildApiSpec(fields),
    };
    const { data } = await client
      .query(RecordStartDocument, variables, { requestPolicy: 'network-only' })
      .toPromise();
    if (!data) return;
    const { value } = data.recordOnchange as { value: Record<string, unknown> };
    setChanges((old) => ({ ...old, ...fromApiValues(fields, value) }));
  };
  const reset = () => {
    setChanges(start);
    setIsDirty(false);
    setRejection(null);
    setTheirs(null);
    setRound(round + 1);
  };
  const save = async (base = baseRecord) => {
    setIsBusy(true);
    setRejection(null);
    const onProgress = (name: string, share: number) => setShares((old) => ({ ...old, [name]: share }));
    const withUploads = <T,>(run: (input: object) => Promise<T>): Promise<T> =>
      withFiles(fileFields, changes, onProgress, (files) =>
        run({ ...buildInput(fields, changes, record === null), ...files }),
      );
    try {
      if (!record) {
        const { record } = await withUploads((input) =>
          runMutation<RecordResult, object>(buildCreateMutation(model), { input }),
        );
        showToast(recordStrings.created);
        // Resets the state before navigating, so that the guard for unsaved changes is not triggered.
        flushSync(() => setIsDirty(false));
        await navigate({
          to: '/records/$model/$id',
          params: { model: model.name, id: record!.id },
          replace: true,
        });
        return;
      }
      // The write condition compares only whole seconds, so changes within the same second are detected here.
      const current = await loadRecord(model, record.id);
      if (current && current.updatedAt !== base?.updatedAt) return setTheirs(current);
      const unchanged = base?.updatedAt ? { updatedAt: { eq: base.updatedAt } } : {};
      const where = { id: { eq: record.id }, ...unchanged };
      await withUploads((input) =>
        runMutation(buildUpdateMutation(model, getQueryFields(model)), { where, input, count: 1 }),
      );
      reset();
      reload();
      showToast(recordStrings.saved);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const now = error.failure.code === 'STALE' && record ? await loadRecord(model, record.id) : null;
      if (now && now.updatedAt !== base?.updatedAt) setTheirs(now);
      else setRejection(error.failure);
    } finally {
      setIsBusy(false);
      setShares({});
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const isNew = record === null;
  // After the heading, which every page focuses.
  useEffect(() => {
    if (isNew) form.current?.querySelector<HTMLElement>(FIRST_INPUT)?.focus();
  }, [isNew]);
  useShortcuts([{ keys: '$mod+s', label: recordStrings.save, run: () => form.current!.requestSubmit() }]);
  const rejectedField = rejection?.argument?.startsWith('input.')
    ? rejection.argument.split(/[.[]/)[1]?.replace(/UploadId$/, '')
    : undefined;
  const getFieldError = (field: FieldDescription) =>
    getInputKey(field) === rejectedField ? rejection!.message : null;
  const single = [...fields, ...fileFields].filter(({ type }) => type !== 'ONE2MANY');
  const isShown = single.some((field) => getInputKey(field) === rejectedField);
  const { short, long, lines, facts } = splitFormFields(model);
  const stage = findStageField(model);
  const stampFields = model.fields.filter(
    (field) => isSystemField(field) && getFieldKey(field) && field.name !== 'display_name',
  );
  const inputs = (some: FieldDescription[]) =>
    some.map((field) =>
      mayEdit && acceptsFile(field) ? (
        <FileInput
          key={field.name}
          field={field}
          value={values[field.graphqlName!] as FileValue | null | undefined}
          share={shares[field.name]}
          onEnter={(value) => enter(field, value)}
          error={getFieldError(field)}
        />
      ) : mayEdit ? (
        <FieldInput
          key={field.name}
          field={field}
          value={getInputValue(field, values)}
          onEnter={(value) => enter(field, value)}
          error={getFieldError(field)}
        />
      ) : (
        <Fact key={field.name} model={model} field={field} record={values as RecordValues} />
      ),
    );
  const title = record
    ? String(baseRecord?.displayName ?? record.displayName)
    : recordStrings.newNamed(model.label);
  return (
    <Screen
      title={title}
      needs="modelDescribe"
      actions={
        <>
          {mayEdit && (
            // The buttons keep their positions, so that a double click cannot hit another button.
            <>
              <Button
                look="primary"
                isBusy={isBusy}
                disabled={record !== null && !isDirty}
                onClick={() => form.current!.requestSubmit()}
              >
                {recordStrings.save}
              </Button>
              <Button disabled={!isDirty} onClick={reset}>
                {recordStrings.discard}
              </Button>
            </>
          )}
          {record && <FormActions model={model} record={record} isDirty={isDirty} reload={reload} />}
        </>
      }
    >
      <div className="record-top">
        <p className="small">
          <Link to="/records/$model" params={{ model: model.name }} search={list}>
            ‹ {model.label}
          </Link>
          {record?.active === false && <strong className="archived"> {recordStrings.isArchived}</strong>}
        </p>
        {record && <RecordPager model={model} id={record.id} />}
      </div>
      {stage && (
        <StatusBar
          field={stage}
          value={isEditable(stage) ? getInputValue(stage, values) : values[getFieldKey(stage)!]}
          onEnter={mayEdit && isEditable(stage) ? (value) => enter(stage, value) : undefined}
        />
      )}
      {rejection && !isShown && (
        <p role="alert" className="wrong">
          {rejection.message}
        </p>
      )}
      {(record && !rights.update) || isAccessError(rejection) ? (
        <WhyNot model={model} id={record?.id ?? null} wished={record ? 'write' : 'create'} />
      ) : null}
      <div className="record-page">
        <div>
          <form ref={form} className="record-form" onSubmit={submit}>
            <div className="short-fields">{inputs(short)}</div>
            {lines.map((field) => (
              <Lines
                key={`${field.name} ${round}`}
                field={field}
                parent={record}
                canEdit={mayEdit && isEditable(field)}
                onEdit={(editedChanges) => enter(field, editedChanges)}
              />
            ))}
            {long.length > 0 && <div className="long-fields">{inputs(long)}</div>}
            <button type="submit" hidden />
          </form>
          {record && (
            <details className="card">
              <summary>{recordStrings.moreDetails}</summary>
              <dl className="facts">
                {[...facts, ...stampFields].map((field) => (
                  <Fact key={field.name} model={model} field={field} record={values as RecordValues} />
                ))}
              </dl>
            </details>
          )}
          {record && <Files key={record.id} model={model.name} id={record.id} canWrite={rights.update} />}
        </div>
        {record && <Discussion model={model} id={record.id} canWrite={rights.update} />}
      </div>
      {theirs && (
        <RecordConflict
          model={model}
          fields={single.filter((field) => getInputKey(field)! in changes)}
          mine={values as RecordValues}
          theirs={theirs}
          onMine={() => {
            setTheirs(null);
            void save(theirs);
          }}
          onTheirs={() => {
            reset();
            reload();
          }}
          onClose={() => setTheirs(null)}
        />
      )}
      <UnsavedGuard isDirty={isDirty} />
    </Screen>
  );
}

/** The inputs of a form that a user types into. */
const FIRST_INPUT = 'input:not([type=file], [type=checkbox], [readonly], :disabled), textarea, select';

const isAccessError = (error: RequestFailure | null): boolean =>
  error?.code === 'ACCESS_ERROR' || error?.code === 'FORBIDDEN';

async function loadRecord(model: ModelDescription, id: string): Promise<RecordValues | null> {
  const document = buildRecordQuery(model, getQueryFields(model))!;
  const { data } = await client
    .query<RecordResult>(document, { id }, { requestPolicy: 'network-only' })
    .toPromise();
  return data?.record ?? null;
}

function Fact({
  model,
  field,
  record,
}: {
  model: ModelDescription;
  field: FieldDescription;
  record: RecordValues;
}) {
  const text = formatFieldValue(model, field, record);
  const file = field.type === 'BINARY' ? (record[getFieldKey(field)!] as RecordFile | null) : null;
  return text === '' ? null : (
    <div className="fact">
      <dt className="quiet small">{field.label}</dt>
      <dd>{file ? <FileView file={file} label={field.label} size={96} /> : text}</dd>
    </div>
  );
}
