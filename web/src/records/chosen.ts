import { client } from '../graphql/client.ts';
import { Refused, refusalOf } from '../graphql/refusal.ts';
import type { recordsAsked } from './address.ts';
import { type ListAnswer, listDocument, type RecordValues } from './document.ts';
import type { Described, DescribedField } from './model.ts';

/** Records that are chosen, each with the time of its last change as it was read; null where the model has none. */
export type Chosen = ReadonlyMap<string, string | null>;

/** As many as can be chosen, and undone together. */
export const MOST_CHOSEN = 5_000;
/** As many as one call answers with or changes. */
export const STEP = 500;

/** The field that says when a record was last changed. Pure. */
export const versionField = ({ fields }: Described): DescribedField | undefined =>
  fields.find(({ name, graphqlName }) => name === 'write_date' && graphqlName !== null);

/** Columns, and what says whether a record is still as it is shown. Pure. */
export const withVersion = (model: Described, fields: DescribedField[]): DescribedField[] => {
  const version = versionField(model);
  return version && !fields.includes(version) ? [...fields, version] : fields;
};

/** Pure. */
export const versionOf = (model: Described, record: RecordValues): string | null => {
  const version = versionField(model);
  return version ? ((record[version.graphqlName!] as string | null | undefined) ?? null) : null;
};

/** With a row, or without it where it was chosen. Pure. */
export function toggled(chosen: Chosen, id: string, version: string | null): Chosen {
  const next = new Map(chosen);
  if (!next.delete(id)) next.set(id, version);
  return next;
}

/** With all of some rows; null for more than can be chosen. Pure. */
export function withAll(chosen: Chosen, rows: Chosen): Chosen | null {
  const next = new Map([...chosen, ...rows]);
  return next.size > MOST_CHOSEN ? null : next;
}

/** In parts that one call changes. Pure. */
export function stepsOf(chosen: Chosen, size = STEP): Chosen[] {
  const all = [...chosen];
  return Array.from(
    { length: Math.ceil(all.length / size) },
    (_, at) => new Map(all.slice(at * size, (at + 1) * size)),
  );
}

/** The condition that only these records meet, each as long as it is as it was read. Pure. */
export function whereOf(model: Described, chosen: Chosen): object {
  const byVersion = Map.groupBy(chosen, ([, version]) => version);
  const parts = [...byVersion].map(([version, records]) => ({
    id: { in: records.map(([id]) => id) },
    ...(version !== null && { [versionField(model)!.graphqlName!]: { eq: version } }),
  }));
  const isArchivable = model.fields.some(({ name, searchable }) => name === 'active' && searchable);
  // A condition on the field finds archived records as well.
  const all = { or: [{ active: { eq: true } }, { active: { eq: false } }] };
  return { and: [{ or: parts }, ...(isArchivable ? [all] : [])] };
}

/** Some rows of a list, however many pages they are. @throws Refused */
export async function chosenOf(
  model: Described,
  asked: ReturnType<typeof recordsAsked>,
  first: number,
  count: number,
): Promise<Chosen> {
  const chosen = new Map<string, string | null>();
  for (let offset = first; offset < first + count; offset += STEP) {
    const { nodes } = await page(model, { ...asked, offset, first: Math.min(STEP, first + count - offset) });
    for (const record of nodes) chosen.set(record.id, versionOf(model, record));
    if (nodes.length === 0) break;
  }
  return chosen;
}

/** The same records as they are now; those that are gone are not among them. @throws Refused */
export async function freshOf(model: Described, chosen: Chosen): Promise<Chosen> {
  const fresh = new Map<string, string | null>();
  for (const step of stepsOf(chosen)) {
    const where = { id: { in: [...step.keys()] } };
    const { nodes } = await page(model, { where, withArchived: true, offset: 0, first: STEP });
    for (const record of nodes) fresh.set(record.id, versionOf(model, record));
  }
  return fresh;
}

async function page(model: Described, variables: object): Promise<ListAnswer['list']> {
  const version = versionField(model);
  const document = listDocument(model, version ? [version] : [])!;
  const { data, error } = await client
    .query<ListAnswer>(document, variables, { requestPolicy: 'network-only' })
    .toPromise();
  if (error) throw new Refused(refusalOf(error));
  return data!.list;
}
