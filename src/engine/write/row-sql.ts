import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';
import { forEachYielding } from '../../loop/yield.ts';
import { SHORT_LOCK_TIMEOUT } from '../ctx/batcher.ts';
import type { DomainNode } from '../domain/node.ts';
import { type Field, VERSION_FIELD } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { buildScopeSql } from '../sql/columns.ts';
import {
  getFieldIdentifier,
  getMainSource,
  getTableIdentifier,
  type ModelRows,
  type Statement,
} from '../sql/statement.ts';
import { buildWhereSql } from '../sql/where.ts';
import type { RecordUpdate, RecordVersions, WritableRow } from './row.ts';

/** Rows of the same shape can share a statement. */
export const getRowShape = (row: WritableRow): string =>
  `${[...row.columns.keys()].map((field) => field.name).join(' ')}${hasCustomValues(row) ? ' +' : ''}`;

export const hasCustomValues = (row: WritableRow): boolean => Object.keys(row.custom).length > 0;

interface RowSlice {
  rows: WritableRow[];
  places: number[];
}

/** Groups rows by shape into slices, each small enough to build a statement in one event loop iteration. */
export async function sliceRows(rows: WritableRow[]): Promise<RowSlice[]> {
  const slices: RowSlice[] = [];
  const openSlices = new Map<string, RowSlice & { weight: number }>();
  await forEachYielding(rows, (row, index) => {
    const shape = getRowShape(row);
    const weight = computeWeight(row);
    let slice = openSlices.get(shape);
    if (
      !slice ||
      slice.weight + weight > limits.sql.sliceBytes ||
      slice.rows.length >= limits.sql.sliceRows
    ) {
      slice = { rows: [], places: [], weight: 0 };
      openSlices.set(shape, slice);
      slices.push(slice);
    }
    slice.rows.push(row);
    slice.places.push(index);
    slice.weight += weight;
  });
  return slices;
}

/** Returns true if one statement cannot contain the rows, even if all have the same shape. */
export function exceedsOneStatement(rows: WritableRow[]): boolean {
  if (rows.length > limits.sql.sliceRows) return true;
  if (rows.length === 1) return false;
  let weight = 0;
  for (const row of rows) {
    weight += computeWeight(row);
    if (weight > limits.sql.sliceBytes) return true;
  }
  return false;
}

/** Approximates the size of a row's values in bytes. */
function computeWeight({ columns, custom }: WritableRow): number {
  let weight = 0;
  for (const value of columns.values()) weight += getLength(value);
  for (const name in custom) weight += getLength(custom[name]);
  return weight;
}

function getLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Uint8Array ? value.length : 8;
}

const buildEmptySql = (): Sql => sql.empty;

/**
 * Builds an insert of rows of one shape. It returns the ids and the extra columns. If a row violates the rule, the
 * whole insert is rolled back (`atrium_require`).
 */
export function buildRowInsertSql(
  statement: Statement,
  model: Model,
  rows: WritableRow[],
  rule: DomainNode | null,
  buildExtraSql: (source: ModelRows) => Sql = buildEmptySql,
): Sql {
  const [first] = rows as [WritableRow];
  const source =
    rows.length === 1
      ? buildOneRowSql(first, buildExtraSql !== buildEmptySql)
      : buildManyRowsSql(first, packRows(rows), sql.empty);
  return buildInsertSql(statement, model, { first, source }, rule, buildExtraSql);
}

/** Like `buildRowInsertSql`, for any number of rows of the shape of `first`. Its slot is `rows`: see `packRows`. */
export const buildSharedInsertSql = (
  statement: Statement,
  model: Model,
  first: WritableRow,
  rule: DomainNode | null,
  buildExtraSql: (source: ModelRows) => Sql = buildEmptySql,
): Sql => {
  const source = buildManyRowsSql(first, sql.slot('rows'), sql`, ${SHORT_LOCK_TIMEOUT}`);
  return buildInsertSql(statement, model, { first, source }, rule, buildExtraSql);
};

function buildInsertSql(
  statement: Statement,
  model: Model,
  { first, source }: { first: WritableRow; source: RowSource },
  rule: DomainNode | null,
  buildExtraSql: (source: ModelRows) => Sql,
): Sql {
  const names = [...first.columns.keys()].map((field) => getFieldIdentifier(field));
  if (hasCustomValues(first)) names.push(sql`custom`);
  const isOwnModel = model.customId !== null;
  const [column, value] = isOwnModel
    ? [sql`model_id, `, sql`${sql.literal(model.customId!)}, `]
    : [sql.empty, sql.empty];
  const insert = sql`insert into ${getTableIdentifier(model)} as t (workspace_id, ${column}${sql.join(names)})
    ${source.before}${statement.workspace}, ${value}${source.after}`;
  return buildReturning(statement, model, insert, rule, buildExtraSql);
}

/** Returns the ids of the changed rows. If a row violates the rule, the whole change is rolled back. */
function buildReturning(
  statement: Statement,
  model: Model,
  change: Sql,
  rule: DomainNode | null,
  buildExtraSql: (source: ModelRows) => Sql,
): Sql {
  if (!rule) return sql`${change} returning t.id, t.workspace_id${buildExtraSql(getMainSource(model))}`;
  const source = { model, row: sql`r` };
  const allowedSql = buildWhereSql(statement, source, rule);
  return sql`with r as (${change} returning *) select r.id${buildExtraSql(source)} from r
    where atrium_require((${allowedSql}) is true)`;
}

/** SQL before and after the workspace column. */
interface RowSource {
  before: Sql;
  after: Sql;
}

/** @param isSelected true to use `select`, because Citus does not support subqueries in RETURNING for `values` */
function buildOneRowSql(row: WritableRow, isSelected: boolean): RowSource {
  const values = [...row.columns.values()].map((value) => sql`${value}`);
  if (hasCustomValues(row)) values.push(sql`${JSON.stringify(row.custom)}::jsonb`);
  const after = sql.join(values);
  return isSelected ? { before: sql`select `, after } : { before: sql`values (`, after: sql`${after})` };
}

const COLUMN_TYPES: Partial<Record<Field['type'], Sql>> = {
  integer: sql`int8`,
  many2one: sql`int8`,
  many2one_reference: sql`int8`,
  float: sql`float8`,
  monetary: sql`numeric`,
  boolean: sql`boolean`,
  date: sql`date`,
  datetime: sql`timestamp`,
  json: sql`jsonb`,
  properties: sql`jsonb`,
  properties_definition: sql`jsonb`,
  strings: sql`text[]`,
};

/**
 * Passes all rows in one parameter, so that the statement text does not depend on the number of rows.
 * @param first a row of their shape
 * @param json all rows as JSON (`packRows`)
 */
function buildManyRowsSql(first: WritableRow, json: unknown, extraSource: Sql): RowSource {
  const { values, from } = buildRowListSql(first, json);
  return { before: sql`select `, after: sql`${sql.join(values)} ${from}${extraSource} order by n` };
}

/**
 * Builds the rows as a list `x` with their position `n`, and an expression for each column and for the custom values.
 */
function buildRowListSql(first: WritableRow, json: unknown): { values: Sql[]; from: Sql } {
  const fields = [...first.columns.keys()];
  const names = fields.map((_, i) => sql.id(`c${i}`));
  const types = fields.map((field, i) => sql`${names[i]} ${COLUMN_TYPES[field.type] ?? sql`text`}`);
  const values = fields.map((field, i) =>
    field.type === 'binary' ? sql`decode(x.${names[i]}, 'base64')` : sql`x.${names[i]}`,
  );
  const isCustom = hasCustomValues(first);
  const custom = isCustom ? [sql`custom`] : [];
  const columns = isCustom ? [...types, sql`custom jsonb`] : types;
  return {
    values: isCustom ? [...values, sql`x.custom`] : values,
    from: sql`from rows from (jsonb_to_recordset(${json}::jsonb) as (${sql.join(columns)}))
        with ordinality as x(${sql.join([...names, ...custom, sql`n`])})`,
  };
}

/** Returns rows of one shape as the JSON parameter of a statement. */
export function packRows(rows: WritableRow[]): string {
  const isCustom = hasCustomValues(rows[0]!);
  return JSON.stringify(rows.map((row) => packRow(row, isCustom)));
}

function packRow(row: WritableRow, isCustom: boolean): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  let index = 0;
  for (const [field, value] of row.columns) result[`c${index++}`] = packValue(field, value);
  if (isCustom) result.custom = row.custom;
  return result;
}

/** Returns true if the column contains JSON, which the row stores as text. */
const isJsonField = ({ type }: Field): boolean =>
  type === 'json' || type === 'properties' || type === 'properties_definition';

function packValue(field: Field, value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  return isJsonField(field) && typeof value === 'string' ? JSON.parse(value) : value;
}

/**
 * Builds an update of the rows that match the rule and the versions. It returns the ids and the extra columns. Null if
 * there is nothing to update.
 */
export function buildUpdateSql(
  statement: Statement,
  { model, ids, row, versions }: RecordUpdate,
  rule: DomainNode | null,
  buildExtraSql: (source: ModelRows) => Sql = buildEmptySql,
): Sql | null {
  const sets = [...row.columns].map(([field, value]) => sql`${getFieldIdentifier(field)} = ${value}`);
  if (hasCustomValues(row))
    sets.push(sql`custom = coalesce(t.custom, '{}') || ${JSON.stringify(row.custom)}::jsonb`);
  if (sets.length === 0) return null;
  sets.push(...buildVersionChange(model));
  const source = getMainSource(model);
  const idsSql = ids.length === 1 ? sql`t.id = ${ids[0]}` : sql`t.id = any(${ids})`;
  const allowedSql = rule ? sql` and ${buildWhereSql(statement, source, rule)}` : sql.empty;
  const update = sql`update ${getTableIdentifier(model)} t set ${sql.join(sets)}
    where ${buildScopeSql(statement, source)} and ${idsSql}${buildVersionSql(ids, versions)}${allowedSql}`;
  if (buildExtraSql === buildEmptySql) return sql`${update} returning t.id`;
  // On Citus, RETURNING cannot contain computed values.
  return sql`with r as (${update} returning *) select r.id${buildExtraSql({ model, row: sql`r` })} from r`;
}

const VERSION_COLUMN = sql.id(VERSION_FIELD);
const VERSION_CHANGE = [sql`${VERSION_COLUMN} = t.${VERSION_COLUMN} + 1`];

const buildVersionChange = ({ fields }: Model): Sql[] => (fields.has(VERSION_FIELD) ? VERSION_CHANGE : []);

function buildVersionSql(ids: number[], versions: RecordVersions | undefined): Sql {
  if (!versions) return sql.empty;
  const list = ids.map((id) => versions.get(id)!);
  return list.length === 1
    ? sql` and t.${VERSION_COLUMN} = ${list[0]}`
    : sql` and (t.id, t.${VERSION_COLUMN}) in (select * from unnest(${ids}::int8[], ${list}::int4[]))`;
}

/**
 * Builds an update that writes a separate row of the shape of `first` to each of several records. It skips rows that
 * are locked, missing or excluded by the rule, and returns the same columns as `buildUpdateSql`. Its slots are `ids`
 * and `rows`: see `packRows`.
 */
export function buildSharedUpdateSql(
  statement: Statement,
  model: Model,
  first: WritableRow,
  rule: DomainNode | null,
  buildExtraSql: (source: ModelRows) => Sql = buildEmptySql,
): Sql {
  const source = getMainSource(model);
  const ids = sql.slot('ids');
  const { values, from } = buildRowListSql(first, sql.slot('rows'));
  const sets = [...first.columns.keys()].map((field, i) => sql`${getFieldIdentifier(field)} = ${values[i]}`);
  if (hasCustomValues(first)) sets.push(sql`custom = coalesce(t.custom, '{}') || x.custom`);
  sets.push(...buildVersionChange(model));
  const allowedSql = rule ? sql` and ${buildWhereSql(statement, source, rule)}` : sql.empty;
  // Skips locked rows, because waiting for another transaction would delay the whole batch.
  return sql`with free as materialized (
      select t.id from ${getTableIdentifier(model)} t
        where ${buildScopeSql(statement, source)} and t.id = any(${ids}::int8[])
      for no key update skip locked
    ), r as (
      update ${getTableIdentifier(model)} t set ${sql.join(sets)} ${from}, ${SHORT_LOCK_TIMEOUT}
      where ${buildScopeSql(statement, source)} and t.id = (${ids}::int8[])[x.n]
        and t.id in (select f.id from free f)${allowedSql}
      returning t.*
    ) select r.id${buildExtraSql({ model, row: sql`r` })} from r`;
}
