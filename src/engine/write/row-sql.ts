import type { Node } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { scopeSql } from '../sql/columns.ts';
import { param, quote, type Statement } from '../sql/statement.ts';
import { whereSql } from '../sql/where.ts';
import type { Row } from './row.ts';

/** Rows of the same shape go in with one statement. */
export const shapeOf = (row: Row): string =>
  `${[...row.columns.keys()].map((field) => field.name).join(' ')}${hasCustom(row) ? ' +' : ''}`;

const hasCustom = (row: Row): boolean => Object.keys(row.custom).length > 0;

/**
 * Whether what a statement returns of a row is all that the rule looks at, besides other tables: then the rule can be
 * part of the statement that writes the row.
 */
export function isOwn(node: Node, model: Model): boolean {
  switch (node.kind) {
    case 'const':
      return true;
    case 'and':
    case 'or':
      return node.items.every((item) => isOwn(item, model));
    case 'not':
      return isOwn(node.item, model);
    case 'column':
      return !node.field.computed && !node.field.related;
    case 'exists':
      return (
        node.field.type === 'many2one' && !reaches(node.where, model) && node.model.table !== model.table
      );
    default:
      return false;
  }
}

/** Whether the condition comes back to the table of `model`. */
function reaches(node: Node, model: Model): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.items.some((item) => reaches(item, model));
  if (node.kind === 'not') return reaches(node.item, model);
  if (node.kind === 'exists') return node.model.table === model.table || reaches(node.where, model);
  return node.kind !== 'const' && node.kind !== 'column';
}

/** Inserts rows of one shape; with a rule, rows that break it undo all of them (`atrium_require`). Returns the ids. */
export function insertSql(statement: Statement, model: Model, rows: Row[], rule: Node | null): string {
  const [first] = rows as [Row];
  const columns = [...first.columns.keys()].map((field) => quote(field.name));
  const fixed = model.customId === null ? [] : [['model_id', String(model.customId)] as const];
  const names = [
    'workspace_id',
    ...fixed.map(([name]) => name),
    ...columns,
    ...(hasCustom(first) ? ['custom'] : []),
  ];
  const head = ['$1', ...fixed.map(([, value]) => value)].join(', ');
  const source = rows.length === 1 ? oneSql(statement, head, first) : manySql(statement, head, rows);
  const insert = `insert into ${quote(model.table)} (${names.join(', ')}) ${source}`;
  return returning(statement, model, insert, rule);
}

/** The ids of what `change` touched; a row outside of the rule undoes it all. */
function returning(statement: Statement, model: Model, change: string, rule: Node | null): string {
  if (!rule) return `${change} returning id, workspace_id`;
  return `with r as (${change} returning *) select r.id from r where atrium_require((${whereSql(statement, rule, 'r', model)}) is true)`;
}

function oneSql(statement: Statement, head: string, row: Row): string {
  const values = [...row.columns].map(([, value]) => param(statement, value));
  if (hasCustom(row)) values.push(`${param(statement, JSON.stringify(row.custom))}::jsonb`);
  return `values (${[head, ...values].join(', ')})`;
}

const TYPES: Partial<Record<Field['type'], string>> = {
  integer: 'int4',
  many2one: 'int4',
  many2one_reference: 'int4',
  float: 'float8',
  monetary: 'numeric',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamp',
  json: 'jsonb',
  strings: 'text[]',
};

/** Any number of rows by one parameter, so that the statement is the same for ten rows and for ten thousand. */
function manySql(statement: Statement, head: string, rows: Row[]): string {
  const fields = [...rows[0]!.columns.keys()];
  const hasMore = hasCustom(rows[0]!);
  const types = fields.map((field, i) => `c${i} ${TYPES[field.type] ?? 'text'}`);
  const names = fields.map((_, i) => `c${i}`);
  const values = fields.map((field, i) => (field.type === 'binary' ? `decode(c${i}, 'base64')` : `c${i}`));
  const list = param(statement, JSON.stringify(rows.map((row) => packed(row, hasMore))));
  const columns = [...types, ...(hasMore ? ['custom jsonb'] : [])].join(', ');
  const aliases = [...names, ...(hasMore ? ['custom'] : []), 'n'].join(', ');
  return `select ${[head, ...values, ...(hasMore ? ['custom'] : [])].join(', ')} from rows from (jsonb_to_recordset(${list}::jsonb) as (${columns})) with ordinality as x(${aliases}) order by n`;
}

function packed(row: Row, hasMore: boolean): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  let index = 0;
  for (const [field, value] of row.columns) result[`c${index++}`] = packedValue(field, value);
  if (hasMore) result.custom = row.custom;
  return result;
}

function packedValue(field: Field, value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  return field.type === 'json' && typeof value === 'string' ? JSON.parse(value) : value;
}

/** Updates the rows `ids`; with a rule, only those inside of it. null when nothing changes. */
export function updateSql(
  statement: Statement,
  model: Model,
  ids: number[],
  row: Row,
  rule: Node | null,
): string | null {
  const where = `${scopeSql(model, 't')} and ${ids.length === 1 ? `t.id = ${param(statement, ids[0])}` : `t.id = any(${param(statement, ids)})`}`;
  const sets = [...row.columns].map(([field, value]) => `${quote(field.name)} = ${param(statement, value)}`);
  if (hasCustom(row))
    sets.push(`custom = coalesce(t.custom, '{}') || ${param(statement, JSON.stringify(row.custom))}::jsonb`);
  if (sets.length === 0) return null;
  const allowed = rule ? ` and ${whereSql(statement, rule, 't', model)}` : '';
  return `update ${quote(model.table)} t set ${sets.join(', ')} where ${where}${allowed} returning t.id`;
}
