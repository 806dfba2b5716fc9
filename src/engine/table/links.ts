import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { forEachYielding } from '../../loop/yield.ts';
import { getModel } from '../access/create-statement.ts';
import { assertRowsAllowed } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { findNameField } from '../model/naming.ts';
import { findRecordsByExternalId } from '../read/external-ids.ts';
import { searchRead } from '../read/records.ts';
import { toPlaceId } from './import-order.ts';
import type { TableRecord } from './table.ts';

type KeyKind = 'name' | 'id' | '.id';

/** Resolves links in a table. Returns null if no record matches. A name is ambiguous if several records have it. */
export interface TableLinks {
  find(model: string, kind: KeyKind, text: string): number | null;
  /** Like `find`, but may return the table position (see import-order.ts) of a record that does not exist yet. */
  findOrPlace(model: string, kind: KeyKind, text: string): number | null;
  isAmbiguous(model: string, text: string): boolean;
}

/** Parses the rest of a column's path after the field. Null if it cannot identify a record. */
export const parseKeyKind = (rest: string): KeyKind | null =>
  rest === 'id' || rest === '.id'
    ? rest
    : rest === '' || rest === 'name' || rest === 'display_name'
      ? 'name'
      : null;

/** Splits a cell into record names. The names of tags are separated by commas. */
export const splitNames = (field: Field, text: string): string[] =>
  field.type === 'many2many'
    ? text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
    : [text].filter(Boolean);

interface LinkRequests {
  texts: Map<string, Map<KeyKind, Set<string>>>;
  /** Number of names in all cells, including duplicates. */
  names: number;
}

/**
 * Looks up all links of the records, with one statement per model and kind of key.
 * @throws BAD_VALUE for cells with too many names
 */
export async function findLinks(ctx: Ctx, model: Model, records: TableRecord[]): Promise<TableLinks> {
  const requests: LinkRequests = { texts: new Map(), names: 0 };
  await forEachYielding(records, (record) => collectLinks(ctx, requests, model, record));
  const linksByKey = new Map<string, number>();
  const ambiguous = new Set<string>();
  for (const [name, kinds] of requests.texts) {
    for (const [kind, texts] of kinds) {
      await forEachYielding(await lookUpIds(ctx, getModel(ctx, name), kind, [...texts]), ([text, id]) => {
        const key = buildLinkKey(name, kind, text);
        if (linksByKey.has(key)) ambiguous.add(key);
        else linksByKey.set(key, id);
      });
    }
  }
  const places = indexPlaces(model, records, (key) => !linksByKey.has(key) && ambiguous.add(key));
  return {
    find: (name, kind, text) => linksByKey.get(buildLinkKey(name, kind, text)) ?? null,
    findOrPlace: (name, kind, text) => {
      const key = buildLinkKey(name, kind, text);
      return linksByKey.get(key) ?? places.get(key) ?? null;
    },
    isAmbiguous: (name, text) => ambiguous.has(buildLinkKey(name, 'name', text)),
  };
}

/** An external id without a module belongs to `__import__`. */
const buildLinkKey = (model: string, kind: KeyKind, text: string): string =>
  `${model} ${kind} ${kind === 'id' && !text.includes('.') ? '__import__.' : ''}${text}`;

function indexPlaces(
  model: Model,
  records: TableRecord[],
  onRepeated: (key: string) => void,
): Map<string, number> {
  const places = new Map<string, number>();
  const nameField = findNameField(model)?.name;
  records.forEach(({ xmlid, cells }, index) => {
    if (xmlid) places.set(buildLinkKey(model.name, 'id', xmlid), toPlaceId(index));
    const name = nameField && cells.get(nameField)?.get('');
    if (!name) return;
    const key = buildLinkKey(model.name, 'name', name);
    if (places.has(key)) onRepeated(key);
    else places.set(key, toPlaceId(index));
  });
  return places;
}

function collectLinks(ctx: Ctx, requests: LinkRequests, model: Model, record: TableRecord): void {
  if (record.xmlid) addText(requests, model.name, 'id', record.xmlid);
  if (record.dbid) addText(requests, model.name, '.id', record.dbid);
  for (const [name, parts] of record.cells) {
    const field = model.fields.get(name);
    if (!field?.relation) continue;
    for (const [rest, text] of parts) {
      const kind = parseKeyKind(rest);
      countNames(requests, text);
      if (kind) for (const key of splitNames(field, text)) addText(requests, field.relation, kind, key);
    }
  }
  for (const [name, lines] of record.lines) {
    const target = getModel(ctx, model.fields.get(name)!.relation!);
    for (const line of lines) collectLinks(ctx, requests, target, line);
  }
}

/**
 * Counts names before a cell is split, because it can contain any number of them.
 * @throws BAD_VALUE
 */
function countNames(requests: LinkRequests, text: string): void {
  for (let index = 0; index >= 0; index = text.indexOf(',', index + 1))
    if (++requests.names > limits.http.values)
      throw errors.badValue(
        `the cells refer to more than ${limits.http.values} records: import fewer records at a time`,
      );
}

function addText({ texts }: LinkRequests, model: string, kind: KeyKind, text: string): void {
  const kinds = texts.get(model) ?? new Map<KeyKind, Set<string>>();
  texts.set(model, kinds.set(kind, (kinds.get(kind) ?? new Set()).add(text)));
}

async function lookUpIds(
  ctx: Ctx,
  model: Model,
  kind: KeyKind,
  texts: string[],
): Promise<[string, number][]> {
  if (kind === 'id') return [...(await findRecordsByExternalId(ctx, model, texts))];
  if (kind === '.id') {
    const ids = texts.filter((text) => /^\d{1,9}$/.test(text)).map(Number);
    return (await assertRowsAllowed(ctx, model, ids, 'read')).map((id) => [String(id), id]);
  }
  const rows = await searchRead(ctx, {
    model: model.name,
    domain: [['display_name', 'in', texts]],
    fields: ['display_name'],
  });
  const records = await rows.valueYielding<{ id: number; display_name: string }[]>();
  return records.map((row) => [row.display_name, row.id]);
}
