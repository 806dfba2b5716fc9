import './form.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { change, client } from '../../graphql/client.ts';
import { useLive } from '../../graphql/live.ts';
import { type Refusal, Refused } from '../../graphql/refusal.ts';
import { useAnswer } from '../../shell/answer.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { Unsaved } from '../../shell/unsaved.tsx';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { say } from '../../ui/toasts.tsx';
import { stageField } from '../board-fields.ts';
import {
  apiSpec,
  apiValues,
  createDocument,
  fromApi,
  inputOf,
  type RecordAnswer,
  type RecordValues,
  recordDocument,
  rightsOf,
  writeDocument,
} from '../document.ts';
import {
  enteredValue,
  type FormValues,
  formParts,
  isEditable,
  isFollowed,
  takesFile,
  withValue,
} from '../fields.ts';
import { FileShown, type FileValue, type RecordFile } from '../file-value.tsx';
import { RecordStartDocument } from '../generated.ts';
import { type Described, type DescribedField, inputKeyOf, isKept, keyOf, useModel } from '../model.ts';
import { NoModel } from '../no-model.tsx';
import { textOf } from '../value.tsx';
import { WhyNot } from '../why/why.tsx';
import { recordWords } from '../words.ts';
import { Conflict } from './conflict.tsx';
import { Discussion } from './discussion.tsx';
import { FieldInput } from './field-input.tsx';
import { FileInput } from './file-input.tsx';
import { Files } from './files.tsx';
import { FormActions } from './form-actions.tsx';
import { Lines } from './lines.tsx';
import { Neighbours } from './neighbours.tsx';
import { withFiles } from './send-files.ts';
import { StatusBar } from './status-bar.tsx';

/** A record of any model, or a new one. */
export function RecordPage() {
  const { model: name, id } = useParams({ from: '/records/$model/$id' });
  const { model, refusal, reload } = useModel(name);
  if (refusal?.code === 'NOT_FOUND_MODEL' || (model && !model.queryField) || model?.access.read === false)
    return <NoModel name={name} />;
  if (!model)
    return (
      <Screen title={name} needs="modelDescribe">
        {refusal ? <Failed refusal={refusal} onAgain={reload} /> : <p role="status">{shellWords.loading}</p>}
      </Screen>
    );
  return id === 'new' ? (
    <NewRecord key={name} model={model} />
  ) : (
    <OldRecord key={`${name} ${id}`} model={model} id={id} />
  );
}

function NewRecord({ model }: { model: Described }) {
  const fields = model.fields.filter(isEditable);
  const { data, refusal, reload } = useAnswer(RecordStartDocument, {
    model: model.name,
    ids: [],
    values: {},
    changed: [],
    spec: apiSpec(fields),
  });
  if (!data || !rightsOf(model).create)
    return (
      <Screen title={recordWords.newOf(model.label)} needs="modelDescribe">
        {refusal && <Failed refusal={refusal} onAgain={reload} />}
        {!rightsOf(model).create && (
          <Empty title={shellWords.notAllowed}>
            <p>{shellWords.notAllowedText}</p>
            <WhyNot model={model} id={null} wished="create" />
          </Empty>
        )}
      </Screen>
    );
  const { value } = data.recordOnchange as { value: Record<string, unknown> };
  return <Form model={model} record={null} start={fromApi(fields, value)} reload={reload} />;
}

function OldRecord({ model, id }: { model: Described; id: string }) {
  const document = recordDocument(model, shownFields(model))!;
  const { data, refusal, reload } = useAnswer<RecordAnswer, { id: string }>(document, { id });
  useLive(model.name, (changed) => {
    if (changed.id === null || changed.id === id) reload();
  });
  if (data?.record) return <Form model={model} record={data.record} start={{}} reload={reload} />;
  return (
    <Screen title={model.label} needs="modelDescribe">
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!refusal && !data && <p role="status">{shellWords.loading}</p>}
      {data?.record === null && (
        <Empty title={recordWords.noRecord}>
          <p>{recordWords.noRecordText}</p>
        </Empty>
      )}
    </Screen>
  );
}

/** What a form asks of a record: everything but messages, and lines, which are asked for by themselves. Pure. */
const shownFields = (model: Described): DescribedField[] => {
  const { short, long, facts } = formParts(model);
  return [
    ...short,
    ...long,
    ...facts,
    ...model.fields.filter((field) => isKept(field) || field.name === 'active'),
  ];
};

interface FormProps {
  model: Described;
  /** As the server has it; null for a new one. */
  record: RecordValues | null;
  /** What a new one begins with. */
  start: FormValues;
  reload(): void;
}

function Form({ model, record, start, reload }: FormProps) {
  const navigate = useNavigate();
  const { at: _at, ...list } = useSearch({ from: '/records/$model/$id' });
  const [changes, setChanges] = useState<FormValues>(start);
  const [isDirty, setDirty] = useState(false);
  const [seen, setSeen] = useState(record);
  const [theirs, setTheirs] = useState<RecordValues | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const [shares, setShares] = useState<Record<string, number>>({});
  const form = useRef<HTMLFormElement>(null);
  const rights = rightsOf(model);
  const mayEdit = record ? rights.update : rights.create;
  // What was read stays until it is saved or left, so that a change by somebody else is noticed.
  useEffect(() => {
    if (!isDirty) setSeen(record);
  }, [record, isDirty]);
  const fields = model.fields.filter(isEditable);
  const fileFields = model.fields.filter(takesFile);
  const values: FormValues = { ...seen, ...changes };
  const latest = useRef(values);
  latest.current = values;
  const enter = (field: DescribedField, value: unknown) => {
    const entered = withValue(field, value);
    setDirty(true);
    setChanges((old) => ({ ...old, ...entered }));
    if (isFollowed(field)) void follow(field, { ...latest.current, ...entered });
  };
  /** What the server says follows from a change is shown before it is saved. */
  const follow = async (field: DescribedField, now: FormValues) => {
    const asked = {
      model: model.name,
      ids: record ? [record.id] : [],
      values: apiValues(fields, now),
      changed: [field.name],
      spec: apiSpec(fields),
    };
    const { data } = await client
      .query(RecordStartDocument, asked, { requestPolicy: 'network-only' })
      .toPromise();
    if (!data) return;
    const { value } = data.recordOnchange as { value: Record<string, unknown> };
    setChanges((old) => ({ ...old, ...fromApi(fields, value) }));
  };
  const reset = () => {
    setChanges(start);
    setDirty(false);
    setRefusal(null);
    setTheirs(null);
    setRound(round + 1);
  };
  const save = async (base = seen) => {
    setBusy(true);
    setRefusal(null);
    const heard = (name: string, share: number) => setShares((old) => ({ ...old, [name]: share }));
    const make = <T,>(run: (input: object) => Promise<T>): Promise<T> =>
      withFiles(fileFields, changes, heard, (files) =>
        run({ ...inputOf(fields, changes, record === null), ...files }),
      );
    try {
      if (!record) {
        const { record: made } = await make((input) =>
          change<RecordAnswer, object>(createDocument(model), { input }),
        );
        say(recordWords.created);
        // Nothing is lost by leaving now, and the guard knows it before that.
        flushSync(() => setDirty(false));
        await navigate({
          to: '/records/$model/$id',
          params: { model: model.name, id: made!.id },
          replace: true,
        });
        return;
      }
      // The condition of the write is exact to the second: what somebody saved within the same is seen before.
      const found = await freshRecord(model, record.id);
      if (found && found.updatedAt !== base?.updatedAt) return setTheirs(found);
      const unchanged = base?.updatedAt ? { updatedAt: { eq: base.updatedAt } } : {};
      const where = { id: { eq: record.id }, ...unchanged };
      await make((input) => change(writeDocument(model, shownFields(model)), { where, input, count: 1 }));
      reset();
      reload();
      say(recordWords.saved);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const now = error.refusal.code === 'STALE' && record ? await freshRecord(model, record.id) : null;
      if (now && now.updatedAt !== base?.updatedAt) setTheirs(now);
      else setRefusal(error.refusal);
    } finally {
      setBusy(false);
      setShares({});
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  useShortcuts([{ keys: '$mod+s', label: recordWords.save, run: () => form.current!.requestSubmit() }]);
  const refused = refusal?.argument?.startsWith('input.')
    ? refusal.argument.split(/[.[]/)[1]?.replace(/UploadId$/, '')
    : undefined;
  const errorOf = (field: DescribedField) => (inputKeyOf(field) === refused ? refusal!.message : null);
  const single = [...fields, ...fileFields].filter(({ type }) => type !== 'ONE2MANY');
  const isShown = single.some((field) => inputKeyOf(field) === refused);
  const { short, long, lines, facts } = formParts(model);
  const stage = stageField(model);
  const kept = model.fields.filter((field) => isKept(field) && keyOf(field) && field.name !== 'display_name');
  const inputs = (some: DescribedField[]) =>
    some.map((field) =>
      mayEdit && takesFile(field) ? (
        <FileInput
          key={field.name}
          field={field}
          value={values[field.graphqlName!] as FileValue | null | undefined}
          share={shares[field.name]}
          onEnter={(value) => enter(field, value)}
          error={errorOf(field)}
        />
      ) : mayEdit ? (
        <FieldInput
          key={field.name}
          field={field}
          value={enteredValue(field, values)}
          onEnter={(value) => enter(field, value)}
          error={errorOf(field)}
        />
      ) : (
        <Fact key={field.name} model={model} field={field} record={values as RecordValues} />
      ),
    );
  const title = record ? String(seen?.displayName ?? record.displayName) : recordWords.newOf(model.label);
  return (
    <Screen
      title={title}
      needs="modelDescribe"
      actions={
        <>
          {mayEdit && (
            // They stay where they are: the second click of two must not meet another button.
            <>
              <Button
                look="primary"
                isBusy={isBusy}
                disabled={record !== null && !isDirty}
                onClick={() => form.current!.requestSubmit()}
              >
                {recordWords.save}
              </Button>
              <Button disabled={!isDirty} onClick={reset}>
                {recordWords.discard}
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
          {record?.active === false && <strong className="archived"> {recordWords.isArchived}</strong>}
        </p>
        {record && <Neighbours model={model} id={record.id} />}
      </div>
      {stage && (
        <StatusBar
          field={stage}
          value={isEditable(stage) ? enteredValue(stage, values) : values[keyOf(stage)!]}
          onEnter={mayEdit && isEditable(stage) ? (value) => enter(stage, value) : undefined}
        />
      )}
      {refusal && !isShown && (
        <p role="alert" className="wrong">
          {refusal.code === 'OFFLINE' ? shellWords.unreachable : refusal.message}
        </p>
      )}
      {(record && !rights.update) || isOfRights(refusal) ? (
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
                onEdit={(edited) => enter(field, edited)}
              />
            ))}
            {long.length > 0 && <div className="long-fields">{inputs(long)}</div>}
            <button type="submit" hidden />
          </form>
          {record && (
            <details className="card">
              <summary>{recordWords.facts}</summary>
              <dl className="facts">
                {[...facts, ...kept].map((field) => (
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
        <Conflict
          model={model}
          fields={single.filter((field) => inputKeyOf(field)! in changes)}
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
      <Unsaved isDirty={isDirty} />
    </Screen>
  );
}

/** Whether rights or rules decided. Pure. */
const isOfRights = (refusal: Refusal | null): boolean =>
  refusal?.code === 'ACCESS_ERROR' || refusal?.code === 'FORBIDDEN';

async function freshRecord(model: Described, id: string): Promise<RecordValues | null> {
  const document = recordDocument(model, shownFields(model))!;
  const { data } = await client
    .query<RecordAnswer>(document, { id }, { requestPolicy: 'network-only' })
    .toPromise();
  return data?.record ?? null;
}

function Fact({ model, field, record }: { model: Described; field: DescribedField; record: RecordValues }) {
  const text = textOf(model, field, record);
  const file = field.type === 'BINARY' ? (record[keyOf(field)!] as RecordFile | null) : null;
  return text === '' ? null : (
    <div className="fact">
      <dt className="quiet small">{field.label}</dt>
      <dd>{file ? <FileShown file={file} label={field.label} size={96} /> : text}</dd>
    </div>
  );
}
