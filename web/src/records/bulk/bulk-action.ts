import { runMutation, runQuery } from '../../graphql/client.ts';
import { isStale, RequestError } from '../../graphql/request-error.ts';
import { getVersion, type RecordValues } from '../document.ts';
import type { ModelDescription } from '../model.ts';
import {
  buildWhere,
  reloadSelected,
  type SelectedRecords,
  type SelectionChanges,
  splitBatches,
  splitByVersion,
} from '../selection/selection.ts';
import { RecordsUndoableDocument } from './generated.ts';

export type BulkAction = { kind: 'write'; input: Record<string, unknown> } | { kind: 'delete' };

/** If records have changed or were deleted, no record is processed. */
export interface BulkResult extends SelectionChanges {
  done: SelectedRecords;
  error: RequestError | null;
}

const buildBulkUpdate = (model: ModelDescription): string =>
  `mutation WriteChosen($where: ${model.typeName}Where!, $input: ${model.typeName}UpdateInput!, $count: Int!, ` +
  `$token: String!) { records: ${model.listField}Update(where: $where, input: $input, expectCount: $count, ` +
  `undoToken: $token) { id ${model.versionField ?? ''} } }`;

const buildBulkDelete = ({ listField, typeName }: ModelDescription): string =>
  `mutation DeleteChosen($where: ${typeName}Where!, $count: Int!) ` +
  `{ deleted: ${listField}Delete(where: $where, expectCount: $count) { count } }`;

/**
 * Applies an action to all records, or to none if any of them has changed since it was selected. Each step is atomic,
 * but an error can leave earlier steps applied. The token allows an update to be undone.
 * @param onStep called with the number of records processed so far
 */
export async function runBulkAction(
  model: ModelDescription,
  selection: SelectedRecords,
  action: BulkAction,
  token: string,
  onStep: (count: number) => void,
): Promise<BulkResult> {
  const batches = splitBatches(selection);
  const processed = new Map<string, number | null>();
  // A single batch fails as a whole if a record has changed. Several batches are checked before the first.
  const changes = batches.length > 1 ? await findChanges(model, selection) : NO_CHANGES;
  if (hasChanges(changes)) return { done: processed, ...changes, error: null };
  try {
    for (const step of batches) {
      for (const [id, version] of await runBatch(model, step, action, token)) processed.set(id, version);
      onStep(processed.size);
    }
    return { done: processed, ...NO_CHANGES, error: null };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (!isStale(error) || processed.size > 0) return { done: processed, ...NO_CHANGES, error };
    const found = await findChanges(model, selection);
    return { done: processed, ...found, error: hasChanges(found) ? null : error };
  }
}

const NO_CHANGES: SelectionChanges = { changed: new Map(), deletedIds: new Set() };

const hasChanges = ({ changed, deletedIds }: SelectionChanges): boolean => changed.size + deletedIds.size > 0;

async function findChanges(model: ModelDescription, selection: SelectedRecords): Promise<SelectionChanges> {
  const { changed, deletedIds } = splitByVersion(selection, await reloadSelected(model, selection));
  return { changed, deletedIds };
}

async function runBatch(
  model: ModelDescription,
  step: SelectedRecords,
  action: BulkAction,
  token: string,
): Promise<SelectedRecords> {
  const condition = { where: buildWhere(model, step), count: step.size };
  if (action.kind === 'delete') {
    await runMutation(buildBulkDelete(model), condition);
    return step;
  }
  const { records } = await runMutation<{ records: RecordValues[] }, object>(buildBulkUpdate(model), {
    ...condition,
    input: action.input,
    token,
  });
  return new Map(records.map((record) => [record.id, getVersion(model, record)]));
}

export interface UndoableChange {
  token: string;
  /** Number of records whose values have changed. */
  count: number;
}

/** Counts the records that a change has modified. Assumes that it modified all records if the server is unreachable. */
export async function describeChange(token: string, done: SelectedRecords): Promise<UndoableChange> {
  try {
    const { recordsUndoable: count } = await runQuery(RecordsUndoableDocument, { token });
    return { token, count };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { token, count: done.size };
  }
}

/** A random 128-bit token in hexadecimal notation. */
export const createUndoToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
