import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveChanges } from '../../graphql/live.ts';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { BackLink } from '../../shell/back-link.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { buildRecordQuery, getRights, type RecordResult, type RecordValues } from '../document.ts';
import { getQueryFields } from '../fields.ts';
import type { ModelDescription } from '../model.ts';
import { ModelScreen } from '../model-screen.tsx';
import { recordStrings } from '../strings.ts';
import { AccessReasonButton } from '../why/why-not.tsx';
import { RecordForm } from './form.tsx';
import { useInitialValues } from './onchange.ts';

export function RecordPage() {
  const { model: name, id } = useParams({ from: '/records/$model/$id' });
  const [formKey, keepForm] = useFormKey(id);
  return (
    <ModelScreen name={name} query="queryField">
      {(model) => (
        <RecordEditor
          key={`${name} ${formKey}`}
          model={model}
          id={id === 'new' ? null : id}
          onCreated={keepForm}
        />
      )}
    </ModelScreen>
  );
}

/**
 * Returns a key per visit of a record, and a function that keeps the key when the address changes to the record that
 * the form has created, so that the form stays mounted.
 */
function useFormKey(id: string): [key: number, keepForm: (createdId: string) => void] {
  const [form, setForm] = useState<{ id: string; key: number; createdId?: string }>({ id, key: 0 });
  const next = form.id === id ? form : { id, key: form.createdId === id ? form.key : form.key + 1 };
  if (next !== form) setForm(next);
  return [next.key, (createdId) => setForm((current) => ({ ...current, createdId }))];
}

interface RecordEditorProps {
  model: ModelDescription;
  /** Null for a new record. */
  id: string | null;
  onCreated(id: string): void;
}

function RecordEditor({ model, id, onCreated }: RecordEditorProps) {
  const navigate = useNavigate();
  const { initialValues, ...initial } = useInitialValues(model, id !== null);
  const { data, refusal, reload } = useStoredRecord(model, id);
  const [created, setCreated] = useState<RecordValues | null>(null);
  const openCreated = async (record: RecordValues) => {
    setCreated(record);
    onCreated(record.id);
    const params = { model: model.name, id: record.id };
    // The form keeps what the user has entered since.
    await navigate({ to: '/records/$model/$id', params, replace: true, ignoreBlocker: true });
  };
  const record = data ? data.record : created;
  const canCreate = getRights(model).create;
  if (record) return <RecordForm model={model} record={record} start={NO_VALUES} reload={reload} />;
  if (id !== null) return <MissingRecord model={model} isLoading={!data} refusal={refusal} reload={reload} />;
  if (initialValues && canCreate)
    return (
      <RecordForm
        model={model}
        record={null}
        start={initialValues}
        reload={initial.reload}
        onCreated={openCreated}
      />
    );
  return (
    <Screen title={recordStrings.newNamed(model.label)}>
      {!initialValues && <LoadStatus refusal={initial.refusal} onAgain={initial.reload} />}
      {!canCreate && (
        <EmptyState title={shellStrings.notAllowed} text={shellStrings.notAllowedText}>
          <AccessReasonButton model={model} id={null} wished="create" />
        </EmptyState>
      )}
    </Screen>
  );
}

const NO_VALUES = {};

/** Loads a record, and loads it again when it changes. */
function useStoredRecord(model: ModelDescription, id: string | null) {
  const document = buildRecordQuery(model, getQueryFields(model))!;
  const query = useGraphqlQuery<RecordResult, { id: string | null }>(document, { id }, id === null);
  useLiveChanges(model.name, (change) => {
    if (id !== null && (change.id === null || change.id === id)) query.reload();
  });
  return query;
}

interface MissingRecordProps {
  model: ModelDescription;
  isLoading: boolean;
  refusal: RequestFailure | null;
  reload(): void;
}

const MissingRecord = ({ model, isLoading, refusal, reload }: MissingRecordProps) => (
  <Screen title={model.label}>
    {isLoading ? (
      <LoadStatus refusal={refusal} onAgain={reload} />
    ) : (
      <>
        <BackLink to="/records/$model" params={{ model: model.name }}>
          {model.pluralLabel}
        </BackLink>
        <EmptyState title={recordStrings.recordNotFound} text={recordStrings.recordNotFoundText} />
      </>
    )}
  </Screen>
);
