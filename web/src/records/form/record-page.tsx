import { useParams } from '@tanstack/react-router';
import { useLiveChanges } from '../../graphql/live.ts';
import { BackLink } from '../../shell/back-link.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { buildRecordQuery, getRights, type RecordResult } from '../document.ts';
import { getQueryFields } from '../fields.ts';
import type { ModelDescription } from '../model.ts';
import { ModelScreen } from '../model-screen.tsx';
import { recordStrings } from '../strings.ts';
import { AccessReasonButton } from '../why/why-not.tsx';
import { RecordForm } from './form.tsx';
import { useInitialValues } from './onchange.ts';

export function RecordPage() {
  const { model: name, id } = useParams({ from: '/records/$model/$id' });
  return (
    <ModelScreen name={name} query="queryField">
      {(model) =>
        id === 'new' ? (
          <NewRecord key={name} model={model} />
        ) : (
          <ExistingRecord key={`${name} ${id}`} model={model} id={id} />
        )
      }
    </ModelScreen>
  );
}

function NewRecord({ model }: { model: ModelDescription }) {
  const { initialValues, refusal, reload } = useInitialValues(model);
  if (!initialValues || !getRights(model).create)
    return (
      <Screen title={recordStrings.newNamed(model.label)}>
        {!initialValues && <LoadStatus refusal={refusal} onAgain={reload} />}
        {!getRights(model).create && (
          <EmptyState title={shellStrings.notAllowed} text={shellStrings.notAllowedText}>
            <AccessReasonButton model={model} id={null} wished="create" />
          </EmptyState>
        )}
      </Screen>
    );
  return <RecordForm model={model} record={null} start={initialValues} reload={reload} />;
}

function ExistingRecord({ model, id }: { model: ModelDescription; id: string }) {
  const document = buildRecordQuery(model, getQueryFields(model))!;
  const { data, refusal, reload } = useGraphqlQuery<RecordResult, { id: string }>(document, { id });
  useLiveChanges(model.name, (change) => {
    if (change.id === null || change.id === id) reload();
  });
  if (data?.record) return <RecordForm model={model} record={data.record} start={{}} reload={reload} />;
  return (
    <Screen title={model.label}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data?.record === null && (
        <>
          <BackLink to="/records/$model" params={{ model: model.name }}>
            {model.pluralLabel}
          </BackLink>
          <EmptyState title={recordStrings.recordNotFound} text={recordStrings.recordNotFoundText} />
        </>
      )}
    </Screen>
  );
}
