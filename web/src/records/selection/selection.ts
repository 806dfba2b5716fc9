import { runQuery } from '../../graphql/client.ts';
import type { toRecordsVariables } from '../address.ts';
import { buildListQuery, getVersion, type ListResult, matchVersion } from '../document.ts';
import type { ModelDescription } from '../model.ts';

/** Versions by id at the time of selection. The version is null if the model has none. */
export type SelectedRecords = ReadonlyMap<string, number | null>;

/** Maximum number of selected records, and number of records per undo step. */
export const MAX_SELECTED = 5_000;
export const BATCH_SIZE = 500;

export function toggleSelected(
  selection: SelectedRecords,
  id: string,
  version: number | null,
): SelectedRecords {
  const next = new Map(selection);
  if (!next.delete(id)) next.set(id, version);
  return next;
}

/** Returns how many records of a list can be selected together. */
export const countSelectable = (total: number): number => Math.min(total, MAX_SELECTED);

/** Adds rows. Returns null if the selection would exceed the maximum. */
export function addAll(selection: SelectedRecords, rows: SelectedRecords): SelectedRecords | null {
  const next = new Map([...selection, ...rows]);
  return next.size > MAX_SELECTED ? null : next;
}

export function splitBatches(selection: SelectedRecords, size = BATCH_SIZE): SelectedRecords[] {
  const all = [...selection];
  return Array.from(
    { length: Math.ceil(all.length / size) },
    (_, index) => new Map(all.slice(index * size, (index + 1) * size)),
  );
}

/** Changes to the selected records since their selection. */
export interface SelectionChanges {
  changed: SelectedRecords;
  deletedIds: ReadonlySet<string>;
}

/** Separates unchanged records from changed and deleted records. */
export function splitByVersion(
  selection: SelectedRecords,
  newSelection: SelectedRecords,
): SelectionChanges & { unchanged: SelectedRecords } {
  const remaining = [...newSelection].filter(([id]) => selection.has(id));
  const isSame = ([id, version]: [string, number | null]) => selection.get(id) === version;
  return {
    unchanged: new Map(remaining.filter(isSame)),
    changed: new Map(remaining.filter((item) => !isSame(item))),
    deletedIds: new Set([...selection.keys()].filter((id) => !newSelection.has(id))),
  };
}

/** Builds a filter that matches the selected records if they have not changed. */
export function buildWhere(model: ModelDescription, selection: SelectedRecords): object {
  const byVersion = Map.groupBy(selection, ([, version]) => version);
  const parts = [...byVersion].map(([version, records]) => ({
    id: { in: records.map(([id]) => id) },
    ...matchVersion(model, version),
  }));
  const isArchivable = model.fields.some(({ name, searchable }) => name === 'active' && searchable);
  // A condition on `active` disables the default filter that excludes archived records. The server rejects conditions
  // that match every record, so this one matches active records and the selected ones.
  const withArchived = { or: [{ active: { eq: true } }, { id: { in: [...selection.keys()] } }] };
  return { and: [{ or: parts }, ...(isArchivable ? [withArchived] : [])] };
}

/**
 * Loads a range of rows in a list, page by page.
 * @throws RequestError
 */
export async function loadSelected(
  model: ModelDescription,
  variables: ReturnType<typeof toRecordsVariables>,
  first: number,
  count: number,
): Promise<SelectedRecords> {
  const selection = new Map<string, number | null>();
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
 * @throws RequestError
 */
export async function reloadSelected(
  model: ModelDescription,
  selection: SelectedRecords,
): Promise<SelectedRecords> {
  const merged = new Map<string, number | null>();
  for (const step of splitBatches(selection)) {
    const where = { id: { in: [...step.keys()] } };
    const { nodes } = await loadPage(model, { where, withArchived: true, offset: 0, first: BATCH_SIZE });
    for (const record of nodes) merged.set(record.id, getVersion(model, record));
  }
  return merged;
}

async function loadPage(model: ModelDescription, variables: object): Promise<ListResult['list']> {
  return (await runQuery<ListResult, object>(buildListQuery(model, [])!, variables)).list;
}
