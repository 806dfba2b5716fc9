import { runMutation, runQuery } from '../../graphql/client.ts';
import { isStale } from '../../graphql/request-error.ts';
import {
  buildCreateMutation,
  buildInput,
  buildRecordQuery,
  buildUpdateMutation,
  getVersion,
  type RecordResult,
  type RecordValues,
} from '../document.ts';
import { acceptsFile, type FormValues, getQueryFields, isEditable } from '../fields.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';
import { withFiles } from './send-files.ts';

export class RecordChangedError extends Error {
  theirs: RecordValues;

  constructor(theirs: RecordValues) {
    super('The record has changed since it was read.');
    this.theirs = theirs;
  }
}

/**
 * Saves the values of a form, with its files.
 * @param base version that the values may overwrite. Null for a new record.
 * @param onProgress called with the uploaded fraction of a field's file
 * @returns the saved version, with the lists whose lines were changed
 * @throws RecordChangedError, RequestError
 */
export const saveRecord = (
  model: ModelDescription,
  base: RecordValues | null,
  values: FormValues,
  onProgress: (name: string, share: number) => void,
): Promise<RecordValues> =>
  withFiles(model.fields.filter(acceptsFile), values, onProgress, async (files) => {
    const input = { ...buildInput(model.fields.filter(isEditable), values, base === null), ...files };
    const fields = getQueryFields(model);
    return base
      ? updateRecord({ model, fields, base, input, values })
      : createRecord(buildCreateMutation(model, fields, values), input);
  });

/**
 * @param document built by `buildCreateMutation`
 * @throws RequestError
 */
export async function createRecord(document: string, input: object): Promise<RecordValues> {
  return (await runMutation<RecordResult, object>(document, { input })).record!;
}

interface RecordUpdate {
  model: ModelDescription;
  /** Fields to load after the update or a conflict. */
  fields: FieldDescription[];
  base: RecordValues;
  input: object;
  /** Form values. The lists whose lines they change are loaded after the update. */
  values?: FormValues;
  /**
   * Returns true if the input must not overwrite the version. By default, every version except `base` is a conflict.
   */
  isConflict?(theirs: RecordValues): boolean;
}

/**
 * Updates a record unless another user has changed it since.
 * @returns the saved version
 * @throws RecordChangedError, RequestError
 */
export async function updateRecord(update: RecordUpdate): Promise<RecordValues> {
  const { model, fields, base, input, values, isConflict } = update;
  try {
    const variables = { id: base.id, input, version: getVersion(model, base) };
    return (await writeRecord(model, fields, variables, values)).record!;
  } catch (error) {
    const theirs = isStale(error) && (await loadRecord(model, fields, base.id));
    if (!theirs) throw error;
    if (!isConflict || isConflict(theirs)) throw new RecordChangedError(theirs);
    return updateRecord({ ...update, base: theirs });
  }
}

interface UpdateVariables {
  id: string;
  input: object;
  /** Version that the update may overwrite. Without one, it overwrites any version. */
  version?: number | null;
}

/**
 * Updates a record, and loads the given fields and the lists whose lines `values` change. If `version` is set, retries
 * while the server is unreachable.
 * @throws RequestError
 */
export const writeRecord = (
  model: ModelDescription,
  fields: FieldDescription[],
  variables: UpdateVariables,
  values?: FormValues,
): Promise<RecordResult> =>
  runMutation<RecordResult, UpdateVariables>(
    buildUpdateMutation(model, fields, values),
    variables,
    (variables.version ?? null) !== null,
  );

async function loadRecord(
  model: ModelDescription,
  fields: FieldDescription[],
  id: string,
): Promise<RecordValues | null> {
  const { record } = await runQuery<RecordResult, { id: string }>(buildRecordQuery(model, fields)!, { id });
  return record;
}
