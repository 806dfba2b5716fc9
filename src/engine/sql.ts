import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Node } from './domain.ts';
import { isNumber, isText } from './domain-values.ts';
import type { Field, Model, Registry } from './model.ts';
import { SECRET_NAME } from './redact.ts';

/** One statement being written. `$1` is always the workspace. */
export interface Statement {
  registry: Registry;
  params: unknown[];
  aliases: number;
  /** Related tables that the conditions so far look into. */
  joins: number;
  /** The rule tree that binds the reader of `model`, or null when none does. */
  rule(model: Model): Node | null;
  /**
   * Left joins that give the names of many2one values, for the `from` of the rows. null: each name is a subquery of
   * its own, which Postgres puts off until after sorting and cutting.
   */
  named: string[] | null;
  /** True when the rows hold JSON of callers, in which a null must stay one. */
  nested: boolean;
  /** True for doors that must not even show that a secret-named value is set. */
  mask: boolean;
  /** Whether the lists of related records have the archived ones too. */
  archived: boolean;
  /** @throws ACCESS_ERROR when the reader may not see the field */
  checkField(model: Model, field: Field): void;
}

/**
 * `record` gives values as classic RPC does (unset is false), `ids` as well but a many2one without its name, `graph`
 * as GraphQL does (unset is null).
 */
export type Flavour = 'record' | 'ids' | 'graph';

export function param(statement: Statement, value: unknown): string {
  statement.params.push(value);
  return `$${statement.params.length}`;
}

export const alias = (statement: Statement): string => `t${++statement.aliases}`;
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A condition on the row `row` (an alias) of `model`. */
export function whereSql(statement: Statement, node: Node, row: string): string {
  switch (node.kind) {
    case 'const':
      return node.value ? 'true' : 'false';
    case 'and':
    case 'or':
      return `(${node.items.map((item) => whereSql(statement, item, row)).join(node.kind === 'and' ? ' and ' : ' or ')})`;
    case 'not':
      return `(${whereSql(statement, node.item, row)}) is not true`;
    case 'column':
      return columnSql(statement, node, row);
    case 'exists':
      return existsSql(statement, node, row);
  }
}

function columnSql(statement: Statement, node: Node & { kind: 'column' }, row: string): string {
  const { field, operator, value } = node;
  const column = `${row}.${quote(field.name)}`;
  // The parser gives these two a list, and nothing else does.
  if (operator === 'in') return inSql(statement, field, value as unknown[], column);
  if (operator === 'not in') return `(${inSql(statement, field, value as unknown[], column)}) is not true`;
  if (operator.endsWith('like')) {
    const text =
      field.type === 'strings'
        ? `array_to_string(${column}, ',')`
        : isText(field)
          ? column
          : `${column}::text`;
    return `${text} ${operator.includes('ilike') ? 'ilike' : 'like'} ${param(statement, value)}`;
  }
  return `${comparable(field, column)} ${operator} ${param(statement, value)}`;
}

/** Unset counts as zero, as empty text and as false. Stored instants are finer than the seconds callers see. */
function comparable(field: Field, column: string): string {
  if (field.required) return column;
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

function inSql(statement: Statement, field: Field, values: unknown[], column: string): string {
  if (field.type === 'strings') return stringsSql(statement, values, column);
  const set = values.filter((v) => v !== null);
  const parts: string[] = [];
  if (set.length < values.length)
    parts.push(`${column} is null`, ...(isText(field) ? [`${column} = ''`] : []));
  const left = equatable(field, column);
  if (set.length === 1) parts.push(`${left} = ${param(statement, set[0])}`);
  else if (set.length > 1) parts.push(`${left} = any(${param(statement, set)})`);
  return parts.length === 1 ? parts[0]! : `(${parts.join(' or ')})`;
}

function stringsSql(statement: Statement, values: unknown[], column: string): string {
  const set = values.filter((v) => v !== null);
  const parts = set.length ? [`${column} && ${param(statement, set)}::text[]`] : [];
  if (set.length < values.length) parts.push(`coalesce(cardinality(${column}), 0) = 0`);
  return `(${parts.join(' or ')})`;
}

/**
 * Postgres turns `exists` into joins and weighs every order of them: ten steps took it over 30 s to plan. `offset 0`
 * keeps it from doing so; the steps beyond this many are then looked up row by row, through the keys.
 */
const MOST_JOINS = 4;

function existsSql(statement: Statement, node: Node & { kind: 'exists' }, row: string): string {
  const { field, model } = node;
  const far = alias(statement);
  const conditions = [`${far}.workspace_id = $1`, linkSql(field, row, far)];
  if (node.active && model.hasActive) conditions.push(`${far}.active`);
  const rule = node.ruled ? statement.rule(model) : null;
  const fence = ++statement.joins > MOST_JOINS ? ' offset 0' : '';
  for (const part of [node.where, rule]) if (part) conditions.push(whereSql(statement, part, far));
  return `exists (select 1 from ${quote(model.table)} ${far} where ${conditions.join(' and ')}${fence})`;
}

/** What ties the related row `far` to the row `row`. */
function linkSql(field: Field, row: string, far: string): string {
  if (field.type === 'many2one') return `${far}.id = ${row}.${quote(field.name)}`;
  if (field.type === 'one2many') return `${far}.${quote(field.inverse!)} = ${row}.id`;
  const { table, self, other } = field.join!;
  return `${far}.id in (select ${quote(other)} from ${quote(table)} where workspace_id = $1 and ${quote(self)} = ${row}.id)`;
}

/** The value that names a record. */
export function displaySql(registry: Registry, model: Model, row: string): string {
  const field = model.fields.get(model.display);
  if (!field) throw new Error(`${model.name}: display field ${model.display} is not there`);
  return field.related ? relatedSql(registry, model, field, row) : `${row}.${quote(field.name)}`;
}

function relatedSql(registry: Registry, model: Model, field: Field, row: string): string {
  const [link, target] = field.related!;
  const far = registry.get(model.fields.get(link)!.relation!)!;
  const next = `${row}_r`;
  const column = far.fields.get(target)!.related
    ? relatedSql(registry, far, far.fields.get(target)!, next)
    : `${next}.${quote(target)}`;
  return `(select ${column} from ${quote(far.table)} ${next} where ${next}.workspace_id = $1 and ${next}.id = ${row}.${quote(link)})`;
}

/** The expression of one field in a row's JSON. */
export function fieldSql(
  statement: Statement,
  model: Model,
  field: Field,
  row: string,
  flavour: Flavour,
): string {
  if (statement.mask && SECRET_NAME.test(field.name)) return `'"***"'::json`;
  if (field.secret) return 'null::json';
  if (field.relation) return relationSql(statement, field, row, flavour);
  const column =
    field.name === 'display_name'
      ? displaySql(statement.registry, model, row)
      : field.related
        ? relatedSql(statement.registry, model, field, row)
        : `${row}.${quote(field.name)}`;
  return valueSql(statement, field, column, flavour);
}

function valueSql(statement: Statement, field: Field, column: string, flavour: Flavour): string {
  if (field.type === 'datetime') {
    return flavour === 'graph'
      ? `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : `left(${column}::text, 19)`;
  }
  if (field.type === 'binary') return `encode(${column}, 'base64')`;
  if (flavour === 'graph' || field.required) return column;
  if (isNumber(field)) return `coalesce(${column}, 0)`;
  if (field.type === 'boolean') return `coalesce(${column}, false)`;
  return orFalse(statement, column);
}

/**
 * Unset is false for classic RPC. Postgres pays dearly for a `false` in place of a null, so as a rule the null stays
 * and `unsetToFalse` replaces it in the text.
 */
const orFalse = (statement: Statement, column: string): string =>
  statement.nested ? `case when ${column} is null then 'false'::json else to_json(${column}) end` : column;

/**
 * Replaces the null of every key in JSON text by false. A quote inside of a string is escaped, so `":null` after
 * anything but a backslash is the end of a key and its value.
 */
export function unsetToFalse(json: string): string {
  return json.includes('\\":null')
    ? json.replace(/(?<!\\)":null/g, '":false')
    : json.replaceAll('":null', '":false');
}

function relationSql(statement: Statement, field: Field, row: string, flavour: Flavour): string {
  const column = `${row}.${quote(field.name)}`;
  const target = statement.registry.get(field.relation!)!;
  if (field.type === 'many2one') {
    if (flavour === 'graph') return column;
    if (flavour === 'ids') return orFalse(statement, column);
    const pair = `json_build_array(${column}, coalesce(${nameSql(statement, target, column)}, ''))`;
    return `case when ${column} is null then ${statement.nested ? `'false'::json` : 'null'} else ${pair} end`;
  }
  const far = alias(statement);
  const conditions = [`${far}.workspace_id = $1`, linkSql(field, row, far)];
  if (target.hasActive && !statement.archived) conditions.push(`${far}.active`);
  const rule = statement.rule(target);
  if (rule) conditions.push(whereSql(statement, rule, far));
  const order = orderSql(statement, target, target.order, far);
  return `(select coalesce(json_agg(${far}.id order by ${order}), '[]'::json) from ${quote(target.table)} ${far} where ${conditions.join(' and ')})`;
}

/** The display name of the record of `target` that `column` points at. */
function nameSql(statement: Statement, target: Model, column: string): string {
  const far = alias(statement);
  const name = displaySql(statement.registry, target, far);
  const link = `${quote(target.table)} ${far} %s ${far}.workspace_id = $1 and ${far}.id = ${column}`;
  if (!statement.named) return `(select ${name} from ${link.replace('%s', 'where')})`;
  statement.named.push(` left join ${link.replace('%s', 'on')}`);
  return name;
}

const ORDER = /^\s*([a-z_][a-z0-9_]*)(?:\.(id))?(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?\s*$/i;

/** An `order by` list from a specification such as `name desc, id`; the id makes it total. */
export function orderSql(statement: Statement, model: Model, specification: string, row: string): string {
  const parts = specification.split(',').filter((part) => part.trim() !== '');
  if (parts.length > limits.orderTerms) throw errors.badOrder(`${specification.slice(0, 80)}…`);
  const terms = parts.flatMap((part) => orderTerms(statement, model, part, specification, row));
  if (!parts.some((part) => /^\s*id\b/i.test(part))) terms.push(`${row}.id`);
  return terms.join(', ');
}

function orderTerms(
  statement: Statement,
  model: Model,
  part: string,
  specification: string,
  row: string,
): string[] {
  const match = ORDER.exec(part);
  const field = match ? model.fields.get(match[1]!.toLowerCase()) : undefined;
  if (
    !match ||
    !field ||
    field.secret ||
    field.type.endsWith('2many') ||
    field.type === 'json' ||
    field.type === 'binary'
  ) {
    throw errors.badOrder(specification);
  }
  statement.checkField(model, field);
  const nulls = match[4] ? ` nulls ${match[4].toLowerCase()}` : '';
  const isDown = match[3]?.toLowerCase() === 'desc';
  if (field.type === 'many2one' && !match[2]) return orderByRelated(statement, field, isDown, nulls, row);
  return [`${orderColumn(statement, model, field, row)}${isDown ? ' desc' : ''}${nulls}`];
}

/** A relation is in the order that the records it leads to have among themselves. */
function orderByRelated(
  statement: Statement,
  field: Field,
  isDown: boolean,
  nulls: string,
  row: string,
): string[] {
  const target = statement.registry.get(field.relation!)!;
  return target.order.split(',').map((part) => {
    const [name, direction] = part.trim().split(/\s+/);
    const value = orderColumn(statement, target, target.fields.get(name!)!, 'o');
    const down = isDown !== (direction === 'desc') ? ' desc' : '';
    return `(select ${value} from ${quote(target.table)} o where o.workspace_id = $1 and o.id = ${row}.${quote(field.name)})${down}${nulls}`;
  });
}

function orderColumn(statement: Statement, model: Model, field: Field, row: string): string {
  if (field.name === 'display_name') return displaySql(statement.registry, model, row);
  if (field.related) return relatedSql(statement.registry, model, field, row);
  return `${row}.${quote(field.name)}`;
}
