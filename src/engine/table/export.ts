import { randomBytes } from 'node:crypto';
import { eachInTurns, mapInTurns } from '../../loop/others-first.ts';
import { modelOf } from '../access/reader.ts';
import { readableIds } from '../access/row-access.ts';
import { zoneOf } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { labelLanguageOf, optionLabel } from '../describe/labels.ts';
import { type Field, isFraction } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { externalIdsOf, nameRecords } from '../read/external-ids.ts';
import { read } from '../read/records.ts';
import type { NestedSelect, SelectList } from '../read/select-list.ts';
import { asFraction } from '../value/fraction.ts';
import { timeOf, toWall, written } from '../value/instant.ts';
import { type FieldPath, isKey, parsePaths } from './field-path.ts';

/** In the place of external ids until they are known. */
interface Pending {
  named: Model;
  ids: number[];
}

/** A value, or what is Pending. */
type Cell = unknown;

/**
 * The records `ids` as a table. A record with lines takes as many rows as it has lines, of which the first holds its
 * own fields; what is unset is '', and times are on the wall clock of the caller, as an import reads them. Records that
 * are asked for their external id and have none get one, unless the caller may only read; those out of its reach have
 * none.
 */
export async function exportRows(
  ctx: Ctx,
  name: string,
  ids: number[],
  fields: string[],
): Promise<unknown[][]> {
  const model = modelOf(ctx, name);
  const paths = parsePaths(ctx, model, fields);
  const wanted = wantedOf(ctx, model, paths);
  const records = await read(ctx, { model: name, ids, fields: wanted, flavour: 'ids' });
  const rows = await mapInTurns(await records.valueInTurns<Values[]>(), (record) =>
    rowsOf(ctx, model, record, paths),
  );
  return fillNames(ctx, rows.flat());
}

function wantedOf(ctx: Ctx, model: Model, paths: FieldPath[]): SelectList {
  const names = new Set(paths.map((path) => path[0]).filter((name) => name !== undefined && !isKey(name)));
  const items = [...names].map((name): string | NestedSelect => {
    const field = model.fields.get(name!)!;
    if (!field.relation) return field.name;
    const inner = tailsOf(paths, field.name).filter((path) => path.length > 0);
    const target = modelOf(ctx, field.relation);
    return { relation: field, as: field.name, fields: wantedOf(ctx, target, inner), named: true };
  });
  return ['id', ...items];
}

/**
 * What the columns want of the record behind `name`: its name where they say no more; nothing where they lead
 * elsewhere.
 */
const tailsOf = (paths: FieldPath[], name: string): FieldPath[] =>
  paths.map((path) => (path[0] !== name ? [] : path.length > 1 ? path.slice(1) : ['display_name']));

function rowsOf(ctx: Ctx, model: Model, record: Values, paths: FieldPath[]): Cell[][] {
  const first: Cell[] = paths.map(() => '');
  const rows = [first];
  const done = new Set<string>();
  paths.forEach(([name], column) => {
    if (name === undefined || done.has(name)) return;
    if (isKey(name)) first[column] = name === 'id' ? pending(model, [record]) : String(record.id);
    else if (!model.fields.get(name)!.relation)
      first[column] = cellOf(ctx, model, model.fields.get(name)!, record[name]);
    else {
      done.add(name);
      rows.push(...placeRelated(ctx, model.fields.get(name)!, record[name], tailsOf(paths, name), first));
    }
  });
  return rows;
}

/** The first row of what a relation gives goes into the record's own, the others follow it. */
function placeRelated(ctx: Ctx, field: Field, value: unknown, paths: FieldPath[], first: Cell[]): Cell[][] {
  const target = modelOf(ctx, field.relation!);
  const records = [value ?? []].flat().filter((item): item is Values => Boolean(item));
  const rows =
    field.type === 'many2many'
      ? [joined(ctx, target, records, paths)]
      : records.flatMap((item) => rowsOf(ctx, target, item, paths));
  rows[0]?.forEach((cell, column) => {
    if (paths[column]!.length > 0) first[column] = cell;
  });
  return rows.slice(1);
}

/** Tags go into one cell, as an import wants them. */
function joined(ctx: Ctx, target: Model, records: Values[], paths: FieldPath[]): Cell[] {
  return paths.map(([name]) => {
    if (name === undefined) return '';
    if (name === 'id') return pending(target, records);
    const texts = records.map((record) =>
      name === '.id' ? record.id : cellOf(ctx, target, target.fields.get(name)!, record[name]),
    );
    return texts.join(',');
  });
}

function cellOf(ctx: Ctx, model: Model, field: Field, value: unknown): unknown {
  if (field.type === 'boolean') return value === true;
  if (value === false || value === null || value === undefined || field.relation) return '';
  if (field.type === 'datetime') return written(toWall(timeOf(String(value)), zoneOf(ctx)));
  return (
    optionLabel(model, field, value, labelLanguageOf(ctx)) ?? (isFraction(field) ? asFraction(value) : value)
  );
}

const pending = (named: Model, records: Values[]): Pending => ({
  named,
  ids: records.map((record) => record.id as number),
});

const isPending = (cell: unknown): cell is Pending =>
  cell !== null && typeof cell === 'object' && 'named' in cell;

/** Puts the external ids in; a model's are found together. */
async function fillNames(ctx: Ctx, rows: Cell[][]): Promise<unknown[][]> {
  const wanted = new Map<Model, Set<number>>();
  await eachInTurns(rows, (row) => {
    for (const cell of row) if (isPending(cell)) want(wanted, cell);
  });
  if (wanted.size === 0) return rows;
  const names = new Map<Model, Map<number, string>>();
  for (const [model, ids] of wanted) names.set(model, await namesOf(ctx, model, [...ids]));
  const nameOf = (model: Model, id: number): string => names.get(model)!.get(id) ?? '';
  return mapInTurns(rows, (row) =>
    row.map((cell) => (isPending(cell) ? cell.ids.map((id) => nameOf(cell.named, id)).join(',') : cell)),
  );
}

function want(wanted: Map<Model, Set<number>>, { named, ids }: Pending): void {
  const known = wanted.get(named) ?? new Set();
  for (const id of ids) known.add(id);
  wanted.set(named, known);
}

async function namesOf(ctx: Ctx, model: Model, ids: number[]): Promise<Map<number, string>> {
  const inReach = await readableIds(ctx, model.name, ids);
  const known = await externalIdsOf(ctx, model, inReach);
  const names = new Map([...known].map(([id, [first]]) => [id, first!.xmlid]));
  if (!mayStore(ctx)) return names;
  const added = await mapInTurns(
    inReach.filter((id) => !names.has(id)),
    (id) => ({ id, xmlid: newName(model, id) }),
  );
  await nameRecords(ctx, model, added);
  for (const { id, xmlid } of added) names.set(id, xmlid);
  return names;
}

const mayStore = ({ principal }: Ctx): boolean => !principal?.scopes || principal.scopes.includes('write');

const newName = (model: Model, id: number): string =>
  `__export__.${model.name.replaceAll('.', '_')}_${id}_${randomBytes(4).toString('hex')}`;
