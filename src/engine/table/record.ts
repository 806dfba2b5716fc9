import { modelOf } from '../access/reader.ts';
import { zoneOf } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { kindOf, type Links, namesIn } from './links.ts';
import type { TableRecord } from './table.ts';
import { importedValue, Unfit } from './values.ts';

/** Why a record of a table cannot be stored. */
export interface Trouble {
  message: string;
  field?: Field;
  /** The model in which a link leads nowhere. */
  target?: string;
}

interface Result {
  /** The record that is there already. */
  id: number | null;
  values: Values;
  troubles: Trouble[];
}

/** The values of one record of a table, and what is wrong with it. */
export function recordValues(ctx: Ctx, model: Model, record: TableRecord, links: Links): Result {
  const result: Result = { id: knownId(model, record, links), values: {}, troubles: [] };
  if (record.dbid && result.id === null)
    result.troubles.push({ message: `No matching record found for database id '${record.dbid}'` });
  const tz = zoneOf(ctx);
  for (const [name, parts] of record.cells) {
    const field = model.fields.get(name)!;
    guarded(result, field, () => {
      result.values[name] = field.relation
        ? linkValue(field, parts, links)
        : importedValue(model, field, parts.get('') ?? '', tz);
    });
  }
  for (const [name, lines] of record.lines) addLines(ctx, model.fields.get(name)!, lines, links, result);
  return result;
}

/** The id of a record that is there already, null for another. */
export function knownId(model: Model, { xmlid, dbid }: TableRecord, links: Links): number | null {
  if (dbid) return links.find(model.name, '.id', dbid);
  return xmlid ? links.find(model.name, 'id', xmlid) : null;
}

/** A link that leads nowhere. */
class Nowhere extends Unfit {}

function guarded({ troubles }: Result, field: Field, fn: () => void): void {
  try {
    fn();
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    const target = error instanceof Nowhere ? { target: field.relation! } : {};
    troubles.push({ message: error.message, field, ...target });
  }
}

function linkValue(field: Field, parts: Map<string, string>, links: Links): unknown {
  const filled = [...parts].filter(([, text]) => text !== '');
  if (filled.length > 1) throw new Unfit(`several columns name the record of the field '${field.label}'`);
  const ids = filled.flatMap(([rest, text]) =>
    namesIn(field, text).map((key) => linkOf(field, rest, key, links)),
  );
  return field.type === 'many2many' ? [[6, 0, ids]] : (ids[0] ?? false);
}

const WORDS = { name: 'name', id: 'external id', '.id': 'database id' } as const;

function linkOf(field: Field, rest: string, key: string, links: Links): number {
  const kind = kindOf(rest);
  if (!kind)
    throw new Unfit(`a record of the field '${field.label}' is named by its name or id, not by '${rest}'`);
  if (kind === 'name' && links.isAmbiguous(field.relation!, key))
    throw new Nowhere(`Several records have the name '${key}' in the field '${field.label}'; use an id`);
  const id = links.findOrPlace(field.relation!, kind, key);
  if (id === null)
    throw new Nowhere(`No matching record found for ${WORDS[kind]} '${key}' in the field '${field.label}'`);
  return id;
}

/** Lines that are there already are changed, the others made. */
function addLines(ctx: Ctx, field: Field, lines: TableRecord[], links: Links, result: Result): void {
  const target = modelOf(ctx, field.relation!);
  const commands = lines.map((line) => {
    const { id, values, troubles } = recordValues(ctx, target, line, links);
    result.troubles.push(...troubles.map((trouble) => ({ ...trouble, field })));
    return id === null
      ? [[0, 0, values]]
      : [[4, id], ...(Object.keys(values).length ? [[1, id, values]] : [])];
  });
  result.values[field.name] = commands.flat();
}
