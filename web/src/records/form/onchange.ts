import { client } from '../../graphql/client.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { buildApiSpec, fromApiValues, toApiValues, withCurrencies } from '../document.ts';
import { type FormValues, isEditable, splitFormFields } from '../fields.ts';
import { RecordStartDocument } from '../generated.ts';
import { type FieldDescription, getInputKey, isNumeric, type ModelDescription } from '../model.ts';

/** Values of lines by field name and line id, in the format of the record API. */
export type ComputedLines = Record<string, Record<string, Record<string, unknown>>>;

export interface ComputedValues {
  /** Editable values that differ from the form. */
  values: FormValues;
  /** Read-only values that differ from the stored record, such as totals. */
  facts: FormValues;
  lines: ComputedLines;
}

/** @param isPaused true if the values are not needed */
export function useInitialValues(model: ModelDescription, isPaused = false) {
  const variables = buildVariables(model, [], {}, []);
  const { data, refusal, reload } = useGraphqlQuery(RecordStartDocument, variables, isPaused);
  return { initialValues: data && readValues(model, data).values, refusal, reload };
}

/** Loads the values that depend on unsaved changes. Returns null if the request fails. */
export async function loadDependentValues(
  model: ModelDescription,
  id: string | undefined,
  values: FormValues,
  changedNames: string[],
): Promise<ComputedValues | null> {
  const variables = buildVariables(model, id === undefined ? [] : [id], values, changedNames);
  const { data } = await client
    .query(RecordStartDocument, variables, { requestPolicy: 'network-only' })
    .toPromise();
  if (!data) return null;
  const entered = model.fields.filter(({ name }) => changedNames.includes(name)).map(getInputKey);
  const { values: computed, ...others } = readValues(model, data);
  // Rounding a number would disturb the user's typing, and saving rounds it as well.
  const kept = Object.entries(computed).filter(([key]) => !entered.includes(key));
  return { ...others, values: Object.fromEntries(kept) };
}

function buildVariables(model: ModelDescription, ids: string[], values: FormValues, changed: string[]) {
  const fields = model.fields.filter(isEditable);
  const shown = changed.length > 0 ? [...fields, ...getTotalFields(model)] : fields;
  return {
    model: model.name,
    ids,
    values: toApiValues(fields, values),
    changed,
    spec: buildApiSpec(shown, values),
  };
}

const getTotalFields = (model: ModelDescription): FieldDescription[] =>
  withCurrencies(model, splitFormFields(model).facts.filter(isNumeric)).filter((field) => !isEditable(field));

/** The GraphQL schema declares the result of `onchange` as a JSON value. */
function readValues(
  model: ModelDescription,
  { recordOnchange }: { recordOnchange: unknown },
): ComputedValues {
  const { value } = recordOnchange as { value: Record<string, unknown> };
  const fields = model.fields.filter(isEditable);
  const lines = fields.flatMap(({ name, type }) =>
    type === 'ONE2MANY' && Array.isArray(value[name]) ? [[name, readLines(value[name])]] : [],
  );
  return {
    values: fromApiValues(fields, value),
    facts: fromApiValues(getTotalFields(model), value),
    lines: Object.fromEntries(lines),
  };
}

const readLines = (commands: unknown[]) =>
  Object.fromEntries(
    commands.flatMap((command) => (Array.isArray(command) ? [[command[1], command[2]]] : [])),
  );
