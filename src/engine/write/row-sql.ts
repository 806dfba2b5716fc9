import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';
import { eachInTurns } from '../../loop/others-first.ts';
import { impatient } from '../ctx/together.ts';
import type { Node } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { scopeSql } from '../sql/columns.ts';
import { fieldId, rowsOf, type Source, type Statement, tableId } from '../sql/statement.ts';
import { whereSql } from '../sql/where.ts';
import type { Row, Update } from './row.ts';

/** Rows of the same shape go in with one statement. */
export const shapeOf = (row: Row): string =>
  `${[...row.columns.keys()].map((field) => field.name).join(' ')}${hasCustom(row) ? ' +' : ''}`;

export const hasCustom = (row: Row): boolean => Object.keys(row.custom).length > 0;

/** Rows of one shape that go in with one statement, with their places among all. */
export interface RowSlice {
  rows: Row[];
  places: number[];
}

/** Rows by their shapes, in slices that one turn of the event loop makes a statement of. */
export async function slicesOf(rows: Row[]): Promise<RowSlice[]> {
  const slices: RowSlice[] = [];
  const open = new Map<string, RowSlice & { weight: number }>();
  await eachInTurns(rows, (row, place) => {
    const shape = shapeOf(row);
    const weight = weightOf(row);
    let slice = open.get(shape);
    if (
      !slice ||
      slice.weight + weight > limits.sql.sliceBytes ||
      slice.rows.length >= limits.sql.sliceRows
    ) {
      slice = { rows: [], places: [], weight: 0 };
      open.set(shape, slice);
      slices.push(slice);
    }
    slice.rows.push(row);
    slice.places.push(place);
    slice.weight += weight;
  });
  return slices;
}

/** Whether rows are too many for one statement, were they all of one shape. */
export function areMany(rows: Row[]): boolean {
  if (rows.length > limits.sql.sliceRows) return true;
  if (rows.length === 1) return false;
  let weight = 0;
  for (const row of rows) {
    weight += weightOf(row);
    if (weight > limits.sql.sliceBytes) return true;
  }
  return false;
}

/** Bytes of the long values of a row, about. */
function weightOf({ columns, custom }: Row): number {
  let weight = 0;
  for (const value of columns.values()) weight += lengthOf(value);
  for (const name in custom) weight += lengthOf(custom[name]);
  return weight;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Uint8Array ? value.length : 8;
}

const nothing = (): Sql => sql.empty;

/**
 * Inserts rows of one shape; with a rule, rows that break it undo all of them (`atrium_require`). Returns the ids, and
 * `more` of each row.
 * @param beside what else stands in FROM, for several rows
 */
export function insertSql(
  statement: Statement,
  model: Model,
  rows: Row[],
  rule: Node | null,
  more: (source: Source) => Sql = nothing,
  beside?: Sql,
): Sql {
  const [first] = rows as [Row];
  const names = [...first.columns.keys()].map((field) => fieldId(field));
  if (hasCustom(first)) names.push(sql`custom`);
  const isOwnModel = model.customId !== null;
  const source = rows.length === 1 ? oneSql(first, more !== nothing) : manySql(rows, beside);
  const [column, value] = isOwnModel
    ? [sql`model_id, `, sql`${sql.literal(model.customId!)}, `]
    : [sql.empty, sql.empty];
  const insert = sql`insert into ${tableId(model)} as t (workspace_id, ${column}${sql.join(names)})
    ${source.before}${statement.workspace}, ${value}${source.after}`;
  return returning(statement, model, insert, rule, more);
}

/** The ids of what `change` touched; a row outside of the rule undoes it all. */
function returning(
  statement: Statement,
  model: Model,
  change: Sql,
  rule: Node | null,
  more: (source: Source) => Sql,
): Sql {
  if (!rule) return sql`${change} returning t.id, t.workspace_id${more(rowsOf(model))}`;
  const source = { model, row: sql`r` };
  const allowed = whereSql(statement, source, rule);
  return sql`with r as (${change} returning *) select r.id${more(source)} from r
    where atrium_require((${allowed}) is true)`;
}

/** Where rows come from: what stands before and after the workspace in the statement. */
interface RowSource {
  before: Sql;
  after: Sql;
}

/** @param selected a cluster returns subqueries of rows that are selected, and refuses them of `values` */
function oneSql(row: Row, selected: boolean): RowSource {
  const values = [...row.columns.values()].map((value) => sql`${value}`);
  if (hasCustom(row)) values.push(sql`${JSON.stringify(row.custom)}::jsonb`);
  const after = sql.join(values);
  return selected ? { before: sql`select `, after } : { before: sql`values (`, after: sql`${after})` };
}

const TYPES: Partial<Record<Field['type'], Sql>> = {
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

/** Any number of rows by one parameter, so that the statement is the same for ten rows and for ten thousand. */
function manySql(rows: Row[], beside?: Sql): RowSource {
  const { values, from } = listSql(rows);
  const more = beside ? sql`, ${beside}` : sql.empty;
  return { before: sql`select `, after: sql`${sql.join(values)} ${from}${more} order by n` };
}

/** Rows as a list `x`, with their place in it as `n`: an expression for each column, and one for custom values. */
function listSql(rows: Row[]): { values: Sql[]; from: Sql } {
  const fields = [...rows[0]!.columns.keys()];
  const names = fields.map((_, i) => sql.id(`c${i}`));
  const types = fields.map((field, i) => sql`${names[i]} ${TYPES[field.type] ?? sql`text`}`);
  const values = fields.map((field, i) =>
    field.type === 'binary' ? sql`decode(x.${names[i]}, 'base64')` : sql`x.${names[i]}`,
  );
  const isCustom = hasCustom(rows[0]!);
  const custom = isCustom ? [sql`custom`] : [];
  const columns = isCustom ? [...types, sql`custom jsonb`] : types;
  const list = JSON.stringify(rows.map((row) => packed(row, isCustom)));
  return {
    values: isCustom ? [...values, sql`x.custom`] : values,
    from: sql`from rows from (jsonb_to_recordset(${list}::jsonb) as (${sql.join(columns)}))
        with ordinality as x(${sql.join([...names, ...custom, sql`n`])})`,
  };
}

function packed(row: Row, isCustom: boolean): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  let index = 0;
  for (const [field, value] of row.columns) result[`c${index++}`] = packedValue(field, value);
  if (isCustom) result.custom = row.custom;
  return result;
}

/** Whether the column holds JSON, which a row has as its text. */
const isJson = ({ type }: Field): boolean =>
  type === 'json' || type === 'properties' || type === 'properties_definition';

function packedValue(field: Field, value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  return isJson(field) && typeof value === 'string' ? JSON.parse(value) : value;
}

/**
 * Updates the rows; with a rule, only those inside of it. Returns the ids, and `more` of each row; null when nothing
 * changes.
 */
export function updateSql(
  statement: Statement,
  { model, ids, row }: Update,
  rule: Node | null,
  more: (source: Source) => Sql = nothing,
): Sql | null {
  const sets = [...row.columns].map(([field, value]) => sql`${fieldId(field)} = ${value}`);
  if (hasCustom(row))
    sets.push(sql`custom = coalesce(t.custom, '{}') || ${JSON.stringify(row.custom)}::jsonb`);
  if (sets.length === 0) return null;
  const source = rowsOf(model);
  const among = ids.length === 1 ? sql`t.id = ${ids[0]}` : sql`t.id = any(${ids})`;
  const allowed = rule ? sql` and ${whereSql(statement, source, rule)}` : sql.empty;
  const update = sql`update ${tableId(model)} t set ${sql.join(sets)}
    where ${scopeSql(statement, source)} and ${among}${allowed}`;
  if (more === nothing) return sql`${update} returning t.id`;
  // A cluster lets a write return nothing that it would have to compute.
  return sql`with r as (${update} returning *) select r.id${more({ model, row: sql`r` })} from r`;
}

/**
 * Updates each of `ids` by its own row, of one shape; those that others have locked, that are not there or outside of
 * the rule are left as they are. Returns as `updateSql`.
 */
export function updateEachSql(
  statement: Statement,
  model: Model,
  { ids, rows }: { ids: number[]; rows: Row[] },
  rule: Node | null,
  more: (source: Source) => Sql = nothing,
): Sql {
  const source = rowsOf(model);
  const [first] = rows as [Row];
  const list = sql.param(ids);
  const { values, from } = listSql(rows);
  const sets = [...first.columns.keys()].map((field, i) => sql`${fieldId(field)} = ${values[i]}`);
  if (hasCustom(first)) sets.push(sql`custom = coalesce(t.custom, '{}') || x.custom`);
  const allowed = rule ? sql` and ${whereSql(statement, source, rule)}` : sql.empty;
  // None waits long for another transaction: that would hold up all of them.
  return sql`with free as materialized (
      select t.id from ${tableId(model)} t where ${scopeSql(statement, source)} and t.id = any(${list}::int8[])
      for no key update skip locked
    ), r as (
      update ${tableId(model)} t set ${sql.join(sets)} ${from}, ${impatient}
      where ${scopeSql(statement, source)} and t.id = (${list}::int8[])[x.n]
        and t.id in (select f.id from free f)${allowed}
      returning t.*
    ) select r.id${more({ model, row: sql`r` })} from r`;
}
