import { type Sql, sql } from '../../db/sql.ts';
import { DATE_PARTS, joinLinks, type Node, type Tree } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import { isAlwaysSet, isFraction, isNumber, isStored, isText, isZeroed } from '../model/field.ts';
import { INT_MAX, WIDE_MAX } from '../value/number.ts';
import { columnSql, fixedSql, givenSql, linkSql, scopeSql, sourceSql, tableOf } from './columns.ts';
import { indexedSql, isLookedUp } from './lookup.ts';
import { OPERATORS } from './operators.ts';
import { propertyWhere } from './property-sql.ts';
import { alias, otherRows, type Source, type Statement } from './statement.ts';

/** A condition on the rows of `source`. */
export function whereSql(statement: Statement, source: Source, node: Node): Sql {
  switch (node.kind) {
    case 'const':
      return node.value ? TRUE : FALSE;
    case 'and':
    case 'or': {
      const items = joinLinks(node.kind, flattened(node)).map((item) => whereSql(statement, source, item));
      return sql`(${sql.join(items, node.kind === 'and' ? ' and ' : ' or ')})`;
    }
    case 'not':
      return isNotTrue(whereSql(statement, source, node.item));
    case 'column':
      return comparisonSql(statement, source, node);
    case 'part':
      return partSql(statement, source, node);
    case 'property':
      return propertyWhere(statement, source, node);
    case 'exists':
      return existsSql(statement, source, node);
    case 'tree':
      return treeSql(statement, source, node);
    case 'follows':
      return followsSql(statement, source, node);
    case 'held':
      return heldSql(statement, source, node);
  }
}

type Of<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>;

/** What is joined by one word, however deep it is nested: made level by level, SQL would be copied at each. */
function flattened(node: Of<'and' | 'or'>, items: Node[] = []): Node[] {
  for (const item of node.items) {
    if (item.kind === node.kind) flattened(item, items);
    else items.push(item);
  }
  return items;
}

const TRUE = sql`true`;
const FALSE = sql`false`;

const isNotTrue = (condition: Sql): Sql => sql`(${condition}) is not true`;

const oneOf = (parts: Sql[]): Sql => (parts.length === 1 ? parts[0]! : sql`(${sql.join(parts, ' or ')})`);

/** ` and …`: what the rules ask of the rows that the reader may read; nothing where no rule binds it. */
export function ruleSql(statement: Statement, source: Source): Sql {
  const rule = statement.rule(source.model);
  return rule ? sql` and ${whereSql(statement, source, rule)}` : sql.empty;
}

/** Not archived. */
export const activeSql = (statement: Statement, source: Source): Sql =>
  columnSql(statement, source, source.model.active!);

/** Whether the record that the row hangs on may be read. */
function followsSql(statement: Statement, { row }: Source, node: Of<'follows'>): Sql {
  const [model, id] = [sql`${row}.${sql.id(node.fields.model)}`, sql`${row}.${sql.id(node.fields.id)}`];
  const ruled = node.ruled.map(({ model: target, rule }) => {
    const far = otherRows(statement, target);
    return sql`${model} = ${sql.literal(target.name)} and exists (select 1 from ${sourceSql(statement, far)}
      and ${far.row}.id = ${id} and ${whereSql(statement, far, rule)})`;
  });
  return sql`(${id} > 0 and (${sql.join([sql`${model} = any(${node.open})`, ...ruled], ' or ')}))`;
}

/** Whether one of the records in whose list the row is may be read. */
function heldSql(statement: Statement, source: Source, { model, list, rule, loose }: Of<'held'>): Sql {
  const { table, self, other } = list.join!;
  const owners = sql`select ${sql.id(self)} from ${sql.id(table)}
    where workspace_id = ${statement.workspace}${fixedSql(list)} and ${sql.id(other)} = ${source.row}.id`;
  const far = otherRows(statement, model);
  return sql`(exists (select 1 from ${sourceSql(statement, far)} and ${far.row}.id in (${owners})
      and ${whereSql(statement, far, rule)})
    or not exists (${owners}) and ${whereSql(statement, source, loose)})`;
}

function comparisonSql(statement: Statement, source: Source, node: Of<'column'>): Sql {
  const { field, operator, value } = node;
  const column = columnSql(statement, source, field);
  // The parser gives these two a list, and nothing else does.
  if (operator === 'in') {
    const among = inSql(field, column, value as unknown[]);
    return isLookedUp(field, value as unknown[])
      ? sql`(${indexedSql(statement, source.row, field, value as unknown[])} and ${among})`
      : among;
  }
  if (operator === 'contains') return sql`${column} @> ${value}::jsonb`;
  if (operator === 'not in') return isNotTrue(inSql(field, column, value as unknown[]));
  if (operator.endsWith('like')) {
    // A number that was never given has no digits to look for (Odoo 19).
    const written = isZeroed(field) && isStored(field) ? givenSql(field, source.row) : column;
    return sql`${textSql(field, written)} ${OPERATORS[operator]!} ${value}`;
  }
  return sql`${comparable(field, column)} ${OPERATORS[operator]!} ${value}${wideCast(field, [value])}`;
}

function textSql(field: Field, column: Sql): Sql {
  if (field.type === 'strings') return sql`array_to_string(${column}, ',')`;
  return isText(field) ? column : sql`${column}::text`;
}

/** Unset counts as zero, as empty text and as false. Stored instants are finer than the seconds callers see. */
function comparable(field: Field, column: Sql): Sql {
  if (isAlwaysSet(field)) return column;
  if (isNumber(field)) return sql`coalesce(${column}, 0)`;
  if (isText(field)) return sql`coalesce(${column}, '')`;
  return field.type === 'boolean' ? sql`coalesce(${column}, false)` : column;
}

function equatable(field: Field, column: Sql): Sql {
  if (field.type === 'datetime') return sql`date_trunc('second', ${column})`;
  return isText(field) ? column : comparable(field, column);
}

/**
 * Postgres takes a parameter for what it is compared with, and refuses one beyond an int. Only then is its type given,
 * so that the usual statements stay the same ones.
 */
const wideCast = (field: Field, values: unknown[]): Sql =>
  isBeyond(field, values, WIDE_MAX) ? NUMERIC : isBeyond(field, values, INT_MAX) ? sql`::int8` : sql.empty;

const NUMERIC = sql`::numeric`;

const isBeyond = (field: Field, values: unknown[], most: number): boolean =>
  !isFraction(field) && values.some((v) => typeof v === 'number' && Math.abs(v) > most);

function inSql(field: Field, column: Sql, values: unknown[]): Sql {
  if (field.type === 'strings') return stringsSql(column, values);
  const unset = isText(field) ? sql`(${column} is null or ${column} = '')` : sql`${column} is null`;
  return setSql(field, equatable(field, column), values, unset);
}

/** Whether `left` is one of `values`, or with null among them `unset` holds. */
function setSql(field: Field, left: Sql, values: unknown[], unset: Sql): Sql {
  const set = values.filter((v) => v !== null);
  const parts: Sql[] = [];
  if (set.length < values.length) parts.push(unset);
  if (set.length === 1) parts.push(sql`${left} = ${set[0]}${wideCast(field, set)}`);
  else if (set.length > 1)
    parts.push(
      isBeyond(field, set, INT_MAX) ? sql`${left} = any(${set}::numeric[])` : sql`${left} = any(${set})`,
    );
  return oneOf(parts);
}

function stringsSql(column: Sql, values: unknown[]): Sql {
  const set = values.filter((v) => v !== null);
  // Lists of numbers are shown as texts, too.
  const parts = set.length ? [sql`${column}::text[] && ${set}::text[]`] : [];
  if (set.length < values.length) parts.push(sql`coalesce(cardinality(${column}), 0) = 0`);
  return sql`(${sql.join(parts, ' or ')})`;
}

/** A part of a date, in UTC or in the zone of the node. Seconds are whole, as callers see them. */
function partSql(statement: Statement, source: Source, node: Of<'part'>): Sql {
  const { operator, value } = node;
  const word = DATE_PARTS[node.part];
  const stored = sql`${columnSql(statement, source, node.field)}::timestamp`;
  const local = node.tz ? sql`(${stored} at time zone 'UTC' at time zone ${sql.literal(node.tz)})` : stored;
  const part = word
    ? sql`floor(extract(${sql.literal(word)} from ${local}))`
    : sql`date_trunc('second', ${local})`;
  const cast = word ? NUMERIC : sql`::timestamp`;
  if (operator === 'in') return partInSql(part, value as unknown[], cast);
  if (operator === 'not in') return isNotTrue(partInSql(part, value as unknown[], cast));
  if (operator.endsWith('like')) return sql`${part}::text ${OPERATORS[operator]!} ${value}`;
  return sql`${part} ${OPERATORS[operator]!} ${value}${cast}`;
}

function partInSql(part: Sql, values: unknown[], cast: Sql): Sql {
  const set = values.filter((v) => v !== null);
  const parts = set.length ? [sql`${part} = any(${set}${cast}[])`] : [];
  if (set.length < values.length) parts.push(sql`${part} is null`);
  return sql`(${sql.join(parts, ' or ')})`;
}

/**
 * Postgres turns `exists` into joins and weighs every order of them: ten steps took it over 30 s to plan. `offset 0`
 * keeps it from doing so; the steps beyond this many are then looked up row by row, through the keys.
 */
const MOST_JOINS = 4;

function existsSql(statement: Statement, source: Source, node: Exists): Sql {
  const far = otherRows(statement, node.model);
  const fence = ++statement.joins > MOST_JOINS ? sql` offset 0` : sql.empty;
  return sql`exists (select 1 from ${tableOf(statement, node.model)} ${far.row}
    where ${relatedSql(statement, far, node, [linkSql(statement, source, node.field, far)])}${fence})`;
}

/** A condition on related records. */
export type Exists = Of<'exists'>;

/** What the related rows `far` have to meet; `links` say whose they are. */
export function relatedSql(statement: Statement, far: Source, node: Exists, links: Sql[] = []): Sql {
  const conditions = [scopeSql(statement, far), ...links];
  if (node.active && node.model.active) conditions.push(activeSql(statement, far));
  const rule = node.ruled ? statement.rule(node.model) : null;
  for (const part of [node.where, rule])
    if (part && !(part.kind === 'const' && part.value)) conditions.push(whereSql(statement, far, part));
  return sql.join(conditions, ' and ');
}

/** Where the row, or what it leads to, stands in a hierarchy. `union` ends a walk that comes back to where it was. */
function treeSql(statement: Statement, source: Source, { field, tree }: Of<'tree'>): Sql {
  const column = columnSql(statement, source, field);
  // Links that a workspace has added are of 64 bits, and a walk is of one type.
  const wide = tree.parent?.custom ? sql`::int8` : sql.empty;
  const seeds = seedsSql(statement, tree, wide);
  if (!tree.parent) return sql`${column} in (${seeds})`;
  const walk = alias(statement);
  const next = otherRows(statement, tree.model);
  const parent = columnSql(statement, next, tree.parent);
  const own = sql`${next.row}.id`;
  const [taken, joined] = tree.up ? [parent, own] : [own, parent];
  return sql`${column} in (with recursive ${walk}(id) as (${seeds}
    union select ${taken}${wide} from ${walk}
    join ${tableOf(statement, tree.model)} ${next.row} on ${joined} = ${walk}.id
    where ${scopeSql(statement, next)} and ${parent} is not null) select id from ${walk})`;
}

/** The records that a hierarchy is entered at. */
function seedsSql(statement: Statement, { model, ids, names, ruled, active }: Tree, cast: Sql): Sql {
  const seed = otherRows(statement, model);
  const parts: Sql[] = [];
  if (ids.length) parts.push(setSql(model.fields.get('id')!, sql`${seed.row}.id`, ids, FALSE));
  if (names) {
    const rule = ruled ? statement.rule(model) : null;
    const named = [names, rule].flatMap((part) => (part ? whereSql(statement, seed, part) : []));
    if (active && model.active) named.push(activeSql(statement, seed));
    parts.push(sql`(${sql.join(named, ' and ')})`);
  }
  return sql`select ${seed.row}.id${cast} from ${sourceSql(statement, seed)} and (${sql.join(parts, ' or ')})`;
}
