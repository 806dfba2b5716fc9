import { errors } from '../../errors.ts';
import { checkField, checkModel, mayField } from '../access/access.ts';
import { modelOf } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isList } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { camel } from '../model/naming.ts';
import { columnSql, displaySql, linkSql, scopeSql, tableOf } from '../sql/columns.ts';
import { orderSql } from '../sql/order.ts';
import { type Flavour, fieldSql } from '../sql/projection.ts';
import { alias, param, quote, type Statement } from '../sql/statement.ts';
import { activeSql, whereSql } from '../sql/where.ts';

/**
 * A relation read along with its row, under the key `as`. A many2one gives the fields of its record as an object, null
 * when it is unset; a list gives an object for each of its records, in their order.
 */
export interface Along {
  relation: Field;
  as: string;
  fields: (string | Along)[];
  /** Of a list: as `order` of a search. */
  order?: string | null;
  /** Of a list: the records after that many come with their id alone. */
  limit?: number | null;
  /** Of a list: with the archived records. */
  archived?: boolean;
  /** Of a many2one out of the principal's reach: id and name, as a plain read tells them. Otherwise it counts as unset. */
  named?: boolean;
}

/** The expression of a relation read along with the row `row` of `model`. */
function alongSql(
  ctx: Ctx,
  statement: Statement,
  model: Model,
  along: Along,
  row: string,
  flavour: Flavour,
): string {
  const { named } = statement;
  // The joins that give names belong to the outer rows.
  statement.named = null;
  try {
    return isList(along.relation)
      ? listSql(ctx, statement, model, along, row, flavour)
      : oneSql(ctx, statement, model, along, row, flavour);
  } finally {
    statement.named = named;
  }
}

function oneSql(
  ctx: Ctx,
  statement: Statement,
  model: Model,
  { relation, fields, named }: Along,
  row: string,
  flavour: Flavour,
): string {
  const target = modelOf(ctx, relation.relation!);
  const link = columnSql(statement, model, relation, row);
  const far = alias(statement);
  const from = `from ${tableOf(target)} ${far} where ${scopeSql(target, far)} and ${far}.id = ${link}`;
  const pair = `select json_build_object('id', ${far}.id, 'display_name', coalesce(${displaySql(statement, target, far)}, '')) ${from}`;
  if (named && isPair(fields)) return `(${pair})`;
  checkModel(ctx, target, 'read');
  const rule = statement.rule(target);
  const allowed = rule ? ` and ${whereSql(statement, rule, far, target)}` : '';
  const full = `select row_to_json(x) from (select ${projection(ctx, statement, target, fields, flavour, far)} ${from}${allowed}) x`;
  return named && rule ? `coalesce((${full}), (${pair}))` : `(${full})`;
}

const isPair = (fields: (string | Along)[]): boolean =>
  fields.every((field) => field === 'id' || field === 'display_name') && fields.includes('display_name');

function listSql(
  ctx: Ctx,
  statement: Statement,
  model: Model,
  { relation, fields, order, limit, archived }: Along,
  row: string,
  flavour: Flavour,
): string {
  const target = modelOf(ctx, relation.relation!);
  checkModel(ctx, target, 'read');
  const far = alias(statement);
  const conditions = [scopeSql(target, far), linkSql(statement, model, relation, row, far)];
  if (target.active && !archived && !statement.archived) conditions.push(activeSql(statement, target, far));
  const rule = statement.rule(target);
  if (rule) conditions.push(whereSql(statement, rule, far, target));
  const place = `row_number() over (order by ${orderSql(statement, target, order || target.order, far)}) as _place`;
  const rows = `select ${far}.*, ${place} from ${tableOf(target)} ${far} where ${conditions.join(' and ')}`;
  const full = `(select row_to_json(x) from (select ${projection(ctx, statement, target, fields, flavour, far)}) x)`;
  const each = limit
    ? `case when ${far}._place <= ${param(statement, limit)} then ${full} else json_build_object('id', ${far}.id) end`
    : full;
  return `(select coalesce(json_agg(${each} order by ${far}._place), '[]'::json) from (${rows}) ${far})`;
}

/** The select list of rows `row` of `model`, in the order wanted. @throws as searchRead */
export function projection(
  ctx: Ctx,
  statement: Statement,
  model: Model,
  wanted: (string | Along)[] | null,
  flavour: Flavour,
  row = 't',
): string {
  const parts = partsOf(ctx, model, wanted);
  statement.nested ||= parts.some((part) => holdsJson(ctx, part));
  const columns = parts.map((part) => {
    if ('as' in part) return `${alongSql(ctx, statement, model, part, row, flavour)} as ${quote(part.as)}`;
    const name = flavour === 'graph' ? camel(part.name) : part.name;
    if (part.definition) statement.properties.add(name);
    return `${fieldSql(statement, model, part, row, flavour)} as ${quote(name)}`;
  });
  return columns.join(', ');
}

/** `id` first, then what is asked for, each once; every readable field when no field is named. */
function partsOf(ctx: Ctx, model: Model, wanted: (string | Along)[] | null): (Field | Along)[] {
  const items = wanted ?? [];
  const isAlong = (item: unknown): item is Along => typeof item === 'object' && item !== null;
  if (items.every(isAlong)) return [...readable(ctx, model), ...items];
  return [...new Set(['id', ...items])].map((item) => (isAlong(item) ? item : namedField(ctx, model, item)));
}

function namedField(ctx: Ctx, model: Model, name: string): Field {
  const field = typeof name === 'string' ? model.fields.get(name) : undefined;
  if (!field) throw errors.unknownField(String(name), model.name, 'on');
  checkField(ctx, model, field, 'read');
  return field;
}

/** Whether JSON of callers is in the rows: its nulls must stay, so that all others have to be false already. */
function holdsJson(ctx: Ctx, part: Field | Along): boolean {
  if (!('as' in part)) return part.type === 'json';
  const target = modelOf(ctx, part.relation.relation!);
  return partsOf(ctx, target, part.fields).some((inner) => holdsJson(ctx, inner));
}

/** Every field the principal may read; binary content only when named. */
export function readable(ctx: Ctx, model: Model): Field[] {
  return [...model.fields.values()].filter(
    (field) => !field.secret && field.type !== 'binary' && mayField(ctx, field),
  );
}
