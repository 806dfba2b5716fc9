import { randomBytes } from 'node:crypto';
import { forEachYielding, mapYielding } from '../../loop/yield.ts';
import { getModel } from '../access/create-statement.ts';
import { filterReadableIds } from '../access/row-access.ts';
import { getTimeZone } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { getLabelLanguage, getOptionLabel } from '../describe/labels.ts';
import { type Field, isFractionField } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { assignExternalIds, findExternalIds } from '../read/external-ids.ts';
import { read } from '../read/records.ts';
import type { NestedSelect, SelectList } from '../read/select-list.ts';
import { toFraction } from '../value/fraction.ts';
import { formatInstant, parseTimestamp, toWallClock } from '../value/instant.ts';
import { type FieldPath, isKeyColumn, parsePaths } from './field-path.ts';
import { formatProperty, parsePropertyColumn } from './properties.ts';

/** Placeholder for external ids until they are looked up. */
interface PendingExternalIds {
  targetModel: Model;
  ids: number[];
}

type Cell = unknown;

/**
 * Exports records as a table. A record uses one row per line, and its first row contains its own fields. Unset values
 * are '', and times are in the caller's time zone, as an import expects.
 *
 * If external ids are requested, they are created for records without one, unless the caller has only read access.
 * Records that the caller may not read have no external id.
 */
export async function exportRows(
  ctx: Ctx,
  name: string,
  ids: number[],
  fields: string[],
): Promise<unknown[][]> {
  const model = getModel(ctx, name);
  const paths = parsePaths(ctx, model, fields);
  const exportFields = buildExportFields(ctx, model, paths);
  const records = await read(ctx, { model: name, ids, fields: exportFields, flavour: 'ids' });
  const rows = await mapYielding(await records.valueYielding<Values[]>(), (record) =>
    buildRows(ctx, model, record, paths),
  );
  return fillExternalIds(ctx, rows.flat());
}

function buildExportFields(ctx: Ctx, model: Model, paths: FieldPath[]): SelectList {
  const names = new Set(
    paths
      .map(([name]) => (name === undefined ? name : (parsePropertyColumn(model, name)?.field.name ?? name)))
      .filter((name) => name !== undefined && !isKeyColumn(name)),
  );
  const items = [...names].map((name): string | NestedSelect => {
    const field = model.fields.get(name!)!;
    if (!field.relation) return field.name;
    const inner = getPathTails(paths, field.name).filter((path) => path.length > 0);
    const target = getModel(ctx, field.relation);
    return { relation: field, as: field.name, fields: buildExportFields(ctx, target, inner), named: true };
  });
  return ['id', ...items];
}

/**
 * Returns the rest of each path after `name`, or the display name if nothing follows. Empty for paths of other fields.
 */
const getPathTails = (paths: FieldPath[], name: string): FieldPath[] =>
  paths.map((path) => (path[0] !== name ? [] : path.length > 1 ? path.slice(1) : ['display_name']));

function buildRows(ctx: Ctx, model: Model, record: Values, paths: FieldPath[]): Cell[][] {
  const first: Cell[] = paths.map(() => '');
  const rows = [first];
  const processed = new Set<string>();
  paths.forEach(([name], column) => {
    if (name === undefined || processed.has(name)) return;
    const propertyColumn = parsePropertyColumn(model, name);
    if (propertyColumn) {
      const { field, property } = propertyColumn;
      first[column] = formatProperty(record[field.name], property, (value) => formatInstantCell(ctx, value));
    } else if (isKeyColumn(name))
      first[column] = name === 'id' ? createPendingIds(model, [record]) : String(record.id);
    else if (!model.fields.get(name)!.relation)
      first[column] = formatCell(ctx, model, model.fields.get(name)!, record[name]);
    else {
      processed.add(name);
      rows.push(
        ...placeRelated(ctx, model.fields.get(name)!, record[name], getPathTails(paths, name), first),
      );
    }
  });
  return rows;
}

/** Merges the first row of the related records into the record's own row, and returns the other rows. */
function placeRelated(ctx: Ctx, field: Field, value: unknown, paths: FieldPath[], first: Cell[]): Cell[][] {
  const target = getModel(ctx, field.relation!);
  const records = [value ?? []].flat().filter((item): item is Values => Boolean(item));
  const rows =
    field.type === 'many2many'
      ? [joinCells(ctx, target, records, paths)]
      : records.flatMap((item) => buildRows(ctx, target, item, paths));
  rows[0]?.forEach((cell, column) => {
    if (paths[column]!.length > 0) first[column] = cell;
  });
  return rows.slice(1);
}

/** Joins tags in one cell, as an import expects. */
function joinCells(ctx: Ctx, target: Model, records: Values[], paths: FieldPath[]): Cell[] {
  return paths.map(([name]) => {
    if (name === undefined) return '';
    if (name === 'id') return createPendingIds(target, records);
    const texts = records.map((record) =>
      name === '.id' ? record.id : formatCell(ctx, target, target.fields.get(name)!, record[name]),
    );
    return texts.join(',');
  });
}

function formatCell(ctx: Ctx, model: Model, field: Field, value: unknown): unknown {
  if (field.type === 'boolean') return value === true;
  if (value === false || value === null || value === undefined || field.relation) return '';
  if (field.type === 'datetime') return formatInstantCell(ctx, value);
  return (
    getOptionLabel(model, field, value, getLabelLanguage(ctx)) ??
    (isFractionField(field) ? toFraction(value) : value)
  );
}

const formatInstantCell = (ctx: Ctx, value: unknown): string =>
  formatInstant(toWallClock(parseTimestamp(String(value)), getTimeZone(ctx)));

const createPendingIds = (model: Model, records: Values[]): PendingExternalIds => ({
  targetModel: model,
  ids: records.map((record) => record.id as number),
});

const isPendingCell = (cell: unknown): cell is PendingExternalIds =>
  cell !== null && typeof cell === 'object' && 'targetModel' in cell;

async function fillExternalIds(ctx: Ctx, rows: Cell[][]): Promise<unknown[][]> {
  const idsByModel = new Map<Model, Set<number>>();
  await forEachYielding(rows, (row) => {
    for (const cell of row) if (isPendingCell(cell)) requestExternalIds(idsByModel, cell);
  });
  if (idsByModel.size === 0) return rows;
  const names = new Map<Model, Map<number, string>>();
  for (const [model, ids] of idsByModel) names.set(model, await loadExternalIds(ctx, model, [...ids]));
  const getExternalName = (model: Model, id: number): string => names.get(model)!.get(id) ?? '';
  return mapYielding(rows, (row) =>
    row.map((cell) =>
      isPendingCell(cell) ? cell.ids.map((id) => getExternalName(cell.targetModel, id)).join(',') : cell,
    ),
  );
}

function requestExternalIds(
  idsByModel: Map<Model, Set<number>>,
  { targetModel, ids }: PendingExternalIds,
): void {
  const idsOfModel = idsByModel.get(targetModel) ?? new Set();
  for (const id of ids) idsOfModel.add(id);
  idsByModel.set(targetModel, idsOfModel);
}

async function loadExternalIds(ctx: Ctx, model: Model, ids: number[]): Promise<Map<number, string>> {
  const inReach = await filterReadableIds(ctx, model.name, ids);
  const externalIds = await findExternalIds(ctx, model, inReach);
  const names = new Map([...externalIds].map(([id, [first]]) => [id, first!.xmlid]));
  if (!canStoreExternalIds(ctx)) return names;
  const added = await mapYielding(
    inReach.filter((id) => !names.has(id)),
    (id) => ({ id, xmlid: generateExternalId(model, id) }),
  );
  await assignExternalIds(ctx, model, added);
  for (const { id, xmlid } of added) names.set(id, xmlid);
  return names;
}

const canStoreExternalIds = ({ principal }: Ctx): boolean =>
  !principal?.scopes || principal.scopes.includes('write');

const generateExternalId = (model: Model, id: number): string =>
  `__export__.${model.name.replaceAll('.', '_')}_${id}_${randomBytes(4).toString('hex')}`;
