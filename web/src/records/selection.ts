import { client } from '../graphql/client.ts';
import { RequestError, toRequestFailure } from '../graphql/request-error.ts';
import type { toRecordsVariables } from './address.ts';
import { buildListQuery, type ListResult, type RecordValues } from './document.ts';
import type { FieldDescription, ModelDescription } from './model.ts';

/** Records that are chosen, each with the time of its last change as it was read; null where the model has none. */
export type SelectedRecords = ReadonlyMap<string, string | null>;

/** As many as can be chosen, and undone together. */
export const MAX_SELECTED = 5_000;
/** As many as one call answers with or changes. */
export const BATCH_SIZE = 500;

/** The field that says when a record was last changed. Pure. */
export const findVersionField = ({ fields }: ModelDescription): FieldDescription | undefined =>
  fields.find(({ name, graphqlName }) => name === 'write_date' && graphqlName !== null);

/** Columns, and what says whether a record is still as it is shown. Pure. */
export const addVersionField = (model: ModelDescription, fields: FieldDescription[]): FieldDescription[] => {
  const version = findVersionField(model);
  return version && !fields.includes(version) ? [...fields, version] : fields;
};

/** Pure. */
export const getVersion = (model: ModelDescription, record: RecordValues): string | null => {
  const version = findVersionField(model);
  return version ? ((record[version.graphqlName!] as string | null | undefined) ?? null) : null;
};

/** With a row, or without it where it was chosen. Pure. */
export function toggleSelected(chosen: SelectedRecords, id: string, version: string | null): SelectedRecords {
  const next = new Map(chosen);
  if (!next.delete(id)) next.set(id, version);
  return next;
}

/** With all of some rows; null for more than can be chosen. Pure. */
export function addAll(chosen: SelectedRecords, rows: SelectedRecords): SelectedRecords | null {
  const next = new Map([...chosen, ...rows]);
  return next.size > MAX_SELECTED ? null : next;
}

/** In parts that one call changes. Pure. */
export function splitBatches(chosen: SelectedRecords, size = BATCH_SIZE): SelectedRecords[] {
  const all = [...chosen];
  return Array.from(
    { length: Math.ceil(all.length / size) },
    (_, at) => new Map(all.slice(at * size, (at + 1) * size)),
  );
}

/** The condition that only these records meet, each as long as it is as it was read. Pure. */
export function buildWhere(model: ModelDescription, chosen: SelectedRecords): object {
  const byVersion = Map.groupBy(chosen, ([, version]) => version);
  const parts = [...byVersion].map(([version, records]) => ({
    id: { in: records.map(([id]) => id) },
    ...(version !== null && { [findVersionField(model)!.graphqlName!]: { eq: version } }),
  }));
  const isArchivable = model.fields.some(({ name, searchable }) => name === 'active' && searchable);
  // A condition on the field finds archived records as well.
  const all = { or: [{ active: { eq: true } }, { active: { eq: false } }] };
  return { and: [{ or: parts }, ...(isArchivable ? [all] : [])] };
}

/** Some rows of a list, however many pages they are. @throws Refused */
export async function loadSelected(
  model: ModelDescription,
  asked: ReturnType<typeof toRecordsVariables>,
  first: number,
  count: number,
): Promise<SelectedRecords> {
  const chosen = new Map<string, string | null>();
  for (let offset = first; offset < first + count; offset += BATCH_SIZE) {
    const { nodes } = await loadPage(model, {
      ...asked,
      offset,
      first: Math.min(BATCH_SIZE, first + count - offset),
    });
    for (const record of nodes) chosen.set(record.id, getVersion(model, record));
    if (nodes.length === 0) break;
  }
  return chosen;
}

/** The same records as they are now; those that are gone are not among them. @throws Refused */
export async function reloadSelected(
  model: ModelDescription,
  chosen: SelectedRecords,
): Promise<SelectedRecords> {
  const fresh = new Map<string, string | null>();
  for (const step of splitBatches(chosen)) {
    const where = { id: { in: [...step.keys()] } };
    const { nodes } = await loadPage(model, { where, withArchived: true, offset: 0, first: BATCH_SIZE });
    for (const record of nodes) fresh.set(record.id, getVersion(model, record));
  }
  return fresh;
}

async function loadPage(model: ModelDescription, variables: object): Promise<ListResult['list']> {
  const version = findVersionField(model);
  const document = buildListQuery(model, version ? [version] : [])!;
  const { data, error } = await client
    .query<ListResult>(document, variables, { requestPolicy: 'network-only' })
    .toPromise();
  if (error) throw new RequestError(toRequestFailure(error));
  return data!.list;
}
