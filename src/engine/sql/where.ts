import { DATE_PARTS, type Node, type Tree } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import { isFraction, isNumber, isText } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { INT_MAX } from '../value/number.ts';
import { columnSql, linkSql, scopeSql, tableOf } from './columns.ts';
import { indexedSql, isLookedUp } from './lookup.ts';
import { propertyWhere } from './property-where.ts';
import { alias, param, quote, type Statement, text } from './statement.ts';

/** A condition on the row `row` (an alias) of `model`. */
export function whereSql(statement: Statement, node: Node, row: string, model: Model): string {
  switch (node.kind) {
    case 'const':
      return node.value ? 'true' : 'false';
    case 'and':
    case 'or': {
      const items = node.items.map((item) => whereSql(statement, item, row, model));
      return `(${items.join(node.kind === 'and' ? ' and ' : ' or ')})`;
    }
    case 'not':
      return `(${whereSql(statement, node.item, row, model)}) is not true`;
    case 'column':
      return comparisonSql(statement, node, row, model);
    case 'part':
      return partSql(statement, node, row, model);
    case 'property':
      return propertyWhere(statement, node, row, model);
    case 'exists':
      return existsSql(statement, node, row, model);
    case 'tree':
      return treeSql(statement, node, row, model);
    case 'follows':
      return followsSql(statement, node, row);
  }
}

/** Whether the record that the row hangs on is in reach. */
function followsSql(statement: Statement, node: Node & { kind: 'follows' }, row: string): string {
  const [model, id] = [`${row}.${quote(node.fields.model)}`, `${row}.${quote(node.fields.id)}`];
  const ruled = node.ruled.map(({ model: target, rule }) => {
    const far = alias(statement);
    const allowed = whereSql(statement, rule, far, target);
    return `${model} = ${text(target.name)} and exists (select 1 from ${tableOf(target)} ${far} where ${scopeSql(target, far)} and ${far}.id = ${id} and ${allowed})`;
  });
  return `(${id} > 0 and (${[`${model} = any(${param(statement, node.open)})`, ...ruled].join(' or ')}))`;
}

function comparisonSql(
  statement: Statement,
  node: Node & { kind: 'column' },
  row: string,
  model: Model,
): string {
  const { field, operator, value } = node;
  const column = columnSql(statement, model, field, row);
  // The parser gives these two a list, and nothing else does.
  if (operator === 'in') {
    const among = inSql(statement, field, value as unknown[], column);
    return isLookedUp(field, value as unknown[])
      ? `(${indexedSql(statement, field, value as unknown[], row)} and ${among})`
      : among;
  }
  if (operator === 'not in') return `(${inSql(statement, field, value as unknown[], column)}) is not true`;
  if (operator.endsWith('like')) return likeSql(statement, operator, textSql(field, column), value);
  return `${comparable(field, column)} ${operator} ${param(statement, value)}${wideCast(field, [value])}`;
}

const likeSql = (statement: Statement, operator: string, column: string, value: unknown): string =>
  `${column} ${operator.includes('ilike') ? 'ilike' : 'like'} ${param(statement, value)}`;

function textSql(field: Field, column: string): string {
  if (field.type === 'strings') return `array_to_string(${column}, ',')`;
  return isText(field) ? column : `${column}::text`;
}

/** Unset counts as zero, as empty text and as false. Stored instants are finer than the seconds callers see. */
function comparable(field: Field, column: string): string {
  if (field.required && !field.custom) return column;
  if (isNumber(field)) return `coalesce(${column}, 0)`;
  if (isText(field)) return `coalesce(${column}, '')`;
  return field.type === 'boolean' ? `coalesce(${column}, false)` : column;
}

const equatable = (field: Field, column: string): string =>
  field.type === 'datetime'
    ? `date_trunc('second', ${column})`
    : isText(field)
      ? column
      : comparable(field, column);

/**
 * Postgres takes a parameter for what it is compared with, and refuses one beyond an int. Only then is its type told,
 * so that the usual statements stay the same ones.
 */
const wideCast = (field: Field, values: unknown[]): string =>
  !isFraction(field) && values.some((v) => typeof v === 'number' && Math.abs(v) > INT_MAX) ? '::numeric' : '';

function inSql(statement: Statement, field: Field, values: unknown[], column: string): string {
  if (field.type === 'strings') return stringsSql(statement, values, column);
  const unset = isText(field) ? `(${column} is null or ${column} = '')` : `${column} is null`;
  return setSql(statement, field, equatable(field, column), values, unset);
}

/** Whether `left` is one of `values`, or with null among them `unset` holds. */
function setSql(statement: Statement, field: Field, left: string, values: unknown[], unset: string): string {
  const set = values.filter((v) => v !== null);
  const parts: string[] = [];
  if (set.length < values.length) parts.push(unset);
  const cast = wideCast(field, set);
  if (set.length === 1) parts.push(`${left} = ${param(statement, set[0])}${cast}`);
  else if (set.length > 1) parts.push(`${left} = any(${param(statement, set)}${cast && `${cast}[]`})`);
  return parts.length === 1 ? parts[0]! : `(${parts.join(' or ')})`;
}

function stringsSql(statement: Statement, values: unknown[], column: string): string {
  const set = values.filter((v) => v !== null);
  const parts = set.length ? [`${column} && ${param(statement, set)}::text[]`] : [];
  if (set.length < values.length) parts.push(`coalesce(cardinality(${column}), 0) = 0`);
  return `(${parts.join(' or ')})`;
}

/** A part of a date, told in UTC or in the zone of the node. Seconds are whole: so callers see them. */
function partSql(statement: Statement, node: Node & { kind: 'part' }, row: string, model: Model): string {
  const { field, operator, value } = node;
  const word = DATE_PARTS[node.part];
  const stored = `${columnSql(statement, model, field, row)}::timestamp`;
  const local = node.tz ? `(${stored} at time zone 'UTC' at time zone ${text(node.tz)})` : stored;
  const part = word ? `floor(extract(${word} from ${local}))` : `date_trunc('second', ${local})`;
  const cast = word ? '::numeric' : '::timestamp';
  if (operator === 'in' || operator === 'not in') {
    const found = partInSql(statement, part, value as unknown[], cast);
    return operator === 'in' ? found : `(${found}) is not true`;
  }
  if (operator.endsWith('like')) return likeSql(statement, operator, `${part}::text`, value);
  return `${part} ${operator} ${param(statement, value)}${cast}`;
}

function partInSql(statement: Statement, part: string, values: unknown[], cast: string): string {
  const set = values.filter((v) => v !== null);
  const parts = set.length ? [`${part} = any(${param(statement, set)}${cast}[])`] : [];
  if (set.length < values.length) parts.push(`${part} is null`);
  return `(${parts.join(' or ')})`;
}

/**
 * Postgres turns `exists` into joins and weighs every order of them: ten steps took it over 30 s to plan. `offset 0`
 * keeps it from doing so; the steps beyond this many are then looked up row by row, through the keys.
 */
const MOST_JOINS = 4;

function existsSql(statement: Statement, node: Node & { kind: 'exists' }, row: string, from: Model): string {
  const { field, model } = node;
  const far = alias(statement);
  const conditions = [scopeSql(model, far), linkSql(statement, from, field, row, far)];
  if (node.active && model.active) conditions.push(activeSql(statement, model, far));
  const rule = node.ruled ? statement.rule(model) : null;
  const fence = ++statement.joins > MOST_JOINS ? ' offset 0' : '';
  for (const part of [node.where, rule])
    if (part && !(part.kind === 'const' && part.value))
      conditions.push(whereSql(statement, part, far, model));
  return `exists (select 1 from ${tableOf(model)} ${far} where ${conditions.join(' and ')}${fence})`;
}

/** Not archived. */
export const activeSql = (statement: Statement, model: Model, row: string): string =>
  columnSql(statement, model, model.active!, row);

/** Where the row, or what it leads to, stands in a hierarchy. `union` ends a walk that comes back to where it was. */
function treeSql(
  statement: Statement,
  { field, tree }: Node & { kind: 'tree' },
  row: string,
  from: Model,
): string {
  const column = columnSql(statement, from, field, row);
  const seeds = seedsSql(statement, tree);
  if (!tree.parent) return `${column} in (${seeds})`;
  const [walk, next] = [alias(statement), alias(statement)];
  const parent = columnSql(statement, tree.model, tree.parent, next);
  const [taken, joined] = tree.up ? [parent, `${next}.id`] : [`${next}.id`, parent];
  const step = `select ${taken} from ${walk} join ${tableOf(tree.model)} ${next} on ${joined} = ${walk}.id where ${scopeSql(tree.model, next)} and ${parent} is not null`;
  return `${column} in (with recursive ${walk}(id) as (${seeds} union ${step}) select id from ${walk})`;
}

/** The records that a hierarchy is entered at. */
function seedsSql(statement: Statement, { model, ids, names, ruled, active }: Tree): string {
  const seed = alias(statement);
  const parts: string[] = [];
  if (ids.length) parts.push(setSql(statement, model.fields.get('id')!, `${seed}.id`, ids, 'false'));
  if (names) {
    const rule = ruled ? statement.rule(model) : null;
    const named = [names, rule].flatMap((part) => (part ? whereSql(statement, part, seed, model) : []));
    if (active && model.active) named.push(activeSql(statement, model, seed));
    parts.push(`(${named.join(' and ')})`);
  }
  return `select ${seed}.id from ${tableOf(model)} ${seed} where ${scopeSql(model, seed)} and (${parts.join(' or ')})`;
}
