import { client } from '../../graphql/client.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { buildApiSpec, fromApiValues, toApiValues } from '../document.ts';
import { type FormValues, isEditable } from '../fields.ts';
import { RecordStartDocument } from '../generated.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';

export function useInitialValues(model: ModelDescription) {
  const { data, refusal, reload } = useGraphqlQuery(RecordStartDocument, buildVariables(model, [], {}, []));
  return { initialValues: data && readValues(model, data), refusal, reload };
}

/** Loads the values that depend on an unsaved change. Returns null if the request fails. */
export async function loadDependentValues(
  model: ModelDescription,
  id: string | undefined,
  values: FormValues,
  changed: FieldDescription,
): Promise<FormValues | null> {
  const variables = buildVariables(model, id === undefined ? [] : [id], values, [changed.name]);
  const { data } = await client
    .query(RecordStartDocument, variables, { requestPolicy: 'network-only' })
    .toPromise();
  return data ? readValues(model, data) : null;
}

function buildVariables(model: ModelDescription, ids: string[], values: FormValues, changed: string[]) {
  const fields = model.fields.filter(isEditable);
  return { model: model.name, ids, values: toApiValues(fields, values), changed, spec: buildApiSpec(fields) };
}

/** The GraphQL schema declares the result of `onchange` as a JSON value. */
function readValues(model: ModelDescription, { recordOnchange }: { recordOnchange: unknown }): FormValues {
  const { value } = recordOnchange as { value: Record<string, unknown> };
  return fromApiValues(model.fields.filter(isEditable), value);
}
