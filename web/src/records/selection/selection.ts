import { client } from '../../graphql/client.ts';
import { RequestError, toRequestFailure } from '../../graphql/request-error.ts';
import type { toRecordsVariables } from '../address.ts';
import { buildListQuery, type ListResult } from '../document.ts';
import type { ModelDescription } from '../model.ts';
import { addVersionField, getVersion, matchVersion } from '../version.ts';

/** Selected records with their versions when they were read. Null if the model has no versions. */
export type SelectedRecords = ReadonlyMap<string, string | null>;

/** Maximum number of selected records, and of records in one undo step. */
export const MAX_SELECTED = 5_000;
/** Maximum number of records per call. */
export const BATCH_SIZE = 500;

export function toggleSelected(
  selection: SelectedRecords,
  id: string,
  version: string | null,
): SelectedRecords {
  const next = new Map(selection);
  if (!next.delete(id)) next.set(id, version);
  return next;
}

/** Adds rows. Null if the maximum number of selected records is exceeded. */
export function addAll(selection: SelectedRecords, rows: SelectedRecords): SelectedRecords | null {
  const next = new Map([...selection, ...rows]);
  return next.size > MAX_SELECTED ? null : next;
}

/** Splits a selection into batches of one call. */
export function splitBatches(selection: SelectedRecords, size = BATCH_SIZE): SelectedRecords[] {
  const all = [...selection];
  return Array.from(
    { length: Math.ceil(all.length / size) },
    (_, index) => new Map(all.slice(index * size, (index + 1) * size)),
  );
}

/** Changes of the selected records since they were selected. */
export interface SelectionChanges {
  changed: SelectedRecords;
  deletedIds: ReadonlySet<string>;
}

/** Separates unchanged records from changed and deleted ones. */
export function splitByVersion(
  selection: SelectedRecords,
  newSelection: SelectedRecords,
): SelectionChanges & { unchanged: SelectedRecords } {
  const remaining = [...newSelection].filter(([id]) => selection.has(id));
  const isSame = ([id, version]: [string, string | null]) => selection.get(id) === version;
  return {
    unchanged: new Map(remaining.filter(isSame)),
    changed: new Map(remaining.filter((item) => !isSame(item))),
    deletedIds: new Set([...selection.keys()].filter((id) => !newSelection.has(id))),
  };
}

/** Builds the condition that matches the selected records, provided that they have not changed. */
export function buildWhere(model: ModelDescription, selection: SelectedRecords): object {
  const byVersion = Map.groupBy(selection, ([, version]) => version);
  const parts = [...byVersion].map(([version, records]) => ({
    id: { in: records.map(([id]) => id) },
    ...matchVersion(model, version),
  }));
  const isArchivable = model.fields.some(({ name, searchable }) => name === 'active' && searchable);
  // A condition on `active` disables the default filter for archived records.
  const all = { or: [{ active: { eq: true } }, { active: { eq: false } }] };
  return { and: [{ or: parts }, ...(isArchivable ? [all] : [])] };
}

/**
 * Loads a range of rows of a list, in pages.
 *
 * @throws RequestError
 */
export async function loadSelected(
  model: ModelDescription,
  variables: ReturnType<typeof toRecordsVariables>,
  first: number,
  count: number,
): Promise<SelectedRecords> {
  const selection = new Map<string, string | null>();
  for (let offset = first; offset < first + count; offset += BATCH_SIZE) {
    const { nodes } = await loadPage(model, {
      ...variables,
      offset,
      first: Math.min(BATCH_SIZE, first + count - offset),
    });
    for (const record of nodes) selection.set(record.id, getVersion(model, record));
    if (nodes.length === 0) break;
  }
  return selection;
}

/**
 * Loads the current versions of records. Deleted records are omitted.
 *
 * @throws RequestError
 */
export async function reloadSelected(
  model: ModelDescription,
  selection: SelectedRecords,
): Promise<SelectedRecords> {
  const merged = new Map<string, string | null>();
  for (const step of splitBatches(selection)) {
    const where = { id: { in: [...step.keys()] } };
    const { nodes } = await loadPage(model, { where, withArchived: true, offset: 0, first: BATCH_SIZE });
    for (const record of nodes) merged.set(record.id, getVersion(model, record));
  }
  return merged;
}

async function loadPage(model: ModelDescription, variables: object): Promise<ListResult['list']> {
  const document = buildListQuery(model, addVersionField(model, []))!;
  const { data, error } = await client
    .query<ListResult>(document, variables, { requestPolicy: 'network-only' })
    .toPromise();
  if (error) throw new RequestError(toRequestFailure(error));
  return data!.list;
}
