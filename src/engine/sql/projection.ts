import { iso } from '../../db/iso.ts';
import { type Field, isList, isNumber } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { SECRET_NAME } from '../value/redact.ts';
import { columnSql, displaySql, linkSql, scopeSql, tableOf } from './columns.ts';
import { orderSql } from './order.ts';
import { propertiesSql } from './property-sql.ts';
import { alias, type Statement, text } from './statement.ts';
import { activeSql, whereSql } from './where.ts';

/**
 * `record` gives values as classic RPC does (unset is false), `ids` as well but a many2one without its name, `graph`
 * as GraphQL does (unset is null).
 */
export type Flavour = 'record' | 'ids' | 'graph';

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
  if (field.definition && !field.related) return propertiesSql(statement, model, field, row);
  if (isList(field)) return listSql(statement, model, field, row);
  const column = columnSql(statement, model, field, row);
  if (field.type === 'many2one') return pairSql(statement, field, column, flavour);
  if (field.type === 'reference')
    return valueSql(statement, field, referenceSql(statement, field, column), flavour);
  return valueSql(statement, field, column, flavour);
}

function valueSql(statement: Statement, field: Field, value: string, flavour: Flavour): string {
  // Amounts are kept with more decimals than they have, and quotients get sixteen.
  const column = field.type === 'monetary' ? `trim_scale(${value}::numeric)` : value;
  if (field.type === 'datetime') {
    return flavour === 'graph' ? iso(column) : orFalse(statement, `left(${column}::text, 19)`);
  }
  if (field.type === 'binary') return orFalse(statement, binarySql(statement, field, column));
  if (field.type === 'properties_definition') return `coalesce(${column}, '[]')`;
  if (flavour === 'graph' || (field.required && !field.custom)) return column;
  if (isNumber(field)) return `coalesce(${column}, 0)`;
  if (field.type === 'boolean') return `coalesce(${column}, false)`;
  return orFalse(statement, column);
}

/** What a reference says, unless it leads to no record of a model that it may lead to. */
function referenceSql(statement: Statement, field: Field, column: string): string {
  const models = (field.selection ?? []).flatMap(([name]) => statement.registry.get(name) ?? []);
  if (models.length === 0) return column;
  const branches = models.map((model) => {
    const far = alias(statement);
    const id = `split_part(${column}, ',', 2)::int`;
    return `when ${text(model.name)} then (select ${column} from ${tableOf(model)} ${far} where ${scopeSql(model, far)} and ${far}.id = ${id})`;
  });
  return `case split_part(${column}, ',', 1) ${branches.join(' ')} end`;
}

/** UTF-8 in bytes that are read as characters of Latin-1 (RFC 3629, section 4); Postgres keeps no NUL in a text. */
const UTF8 = [
  '[\\u0001-\\u007f]',
  '[\\u00c2-\\u00df][\\u0080-\\u00bf]',
  '\\u00e0[\\u00a0-\\u00bf][\\u0080-\\u00bf]',
  '[\\u00e1-\\u00ec\\u00ee\\u00ef][\\u0080-\\u00bf]{2}',
  '\\u00ed[\\u0080-\\u009f][\\u0080-\\u00bf]',
  '\\u00f0[\\u0090-\\u00bf][\\u0080-\\u00bf]{2}',
  '[\\u00f1-\\u00f3][\\u0080-\\u00bf]{3}',
  '\\u00f4[\\u0080-\\u008f][\\u0080-\\u00bf]{2}',
].join('|');

/** Whether bytes are text; asked before they are read as such, which would fail. */
const isTextSql = (column: string): string =>
  `case when position('\\x00'::bytea in ${column}) = 0 then convert_from(${column}, 'LATIN1') ~ '^(${UTF8})*$' end`;

/** base64 in one line, or when the caller wants no more the size in words: `1.23 Kb`. */
function binarySql(statement: Statement, field: Field, column: string): string {
  if (!statement.sizes(field.name)) {
    const packed = `translate(encode(${column}, 'base64'), E'\\n', '')`;
    return field.asText
      ? `case when ${isTextSql(column)} then convert_from(${column}, 'UTF8') else ${packed} end`
      : packed;
  }
  const bytes = `octet_length(${column})::numeric`;
  const steps = ['bytes', 'Kb', 'Mb', 'Gb'].map((unit, power) => {
    const divided = `to_char(${bytes} / ${1024 ** power}, 'FM999999990.00')`;
    return `when ${bytes} < ${1024 ** (power + 1)} then ${divided} || ' ${unit}'`;
  });
  return `case ${steps.join(' ')} end`;
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

/** A many2one as `[id, name]`. What leads nowhere (only without a foreign key) counts as unset. */
function pairSql(statement: Statement, field: Field, column: string, flavour: Flavour): string {
  if (flavour === 'graph') return column;
  if (flavour === 'ids') return orFalse(statement, column);
  const target = statement.registry.get(field.relation!);
  if (!target) return orFalse(statement, 'null::int');
  const { name, found } = nameSql(statement, target, column, field.loose === true);
  const pair = `json_build_array(${column}, coalesce(${name}, ''))`;
  return `case when ${found} is null then ${statement.nested ? `'false'::json` : 'null'} else ${pair} end`;
}

/** The display name of the record of `target` that `column` points at. */
function nameSql(
  statement: Statement,
  target: Model,
  column: string,
  loose: boolean,
): { name: string; found: string } {
  const far = alias(statement);
  const name = displaySql(statement, target, far);
  const on = `${scopeSql(target, far)} and ${far}.id = ${column}`;
  if (!statement.named) {
    const sql = `(select ${name} from ${tableOf(target)} ${far} where ${on})`;
    return { name: sql, found: loose ? `(select id from ${tableOf(target)} ${far} where ${on})` : column };
  }
  statement.named.push(` left join ${tableOf(target)} ${far} on ${on}`);
  return { name, found: loose ? `${far}.id` : column };
}

function listSql(statement: Statement, model: Model, field: Field, row: string): string {
  const target = statement.registry.get(field.relation!);
  if (!target) return `'[]'::json`;
  const far = alias(statement);
  const conditions = [scopeSql(target, far), linkSql(statement, model, field, row, far)];
  if (target.active && !statement.archived) conditions.push(activeSql(statement, target, far));
  const rule = statement.rule(target);
  if (rule) conditions.push(whereSql(statement, rule, far, target));
  const order = orderSql(statement, target, target.order, far);
  return `(select coalesce(json_agg(${far}.id order by ${order}), '[]'::json) from ${tableOf(target)} ${far} where ${conditions.join(' and ')})`;
}
