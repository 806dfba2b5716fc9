import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { checkField, checkModel } from '../access/access.ts';
import { modelOf, newStatement } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Node, PARTS } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import { isNumber, isText } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { columnSql, displaySql, scopeSql, tableOf } from '../sql/columns.ts';
import { orderTerms } from '../sql/order.ts';
import { alias, param, quote, type Statement, text } from '../sql/statement.ts';
import { whereSql } from '../sql/where.ts';
import { weekStartOf } from '../value/locale.ts';
import {
  type Aggregate,
  type Grouping,
  PERIODS,
  type Period,
  parseAggregate,
  parseGrouping,
} from './group-spec.ts';
import { havingSql } from './having.ts';
import { periodLabel } from './period.ts';
import { groupedProperties } from './property-group.ts';
import { conditions } from './records.ts';

/** What to group, and how much of it is wanted. */
export interface GroupQuery {
  domain: unknown;
  groupby: unknown[];
  aggregates: unknown[];
  having?: unknown;
  order?: string | null;
  offset?: number;
  limit?: number | null;
}

/** The value of a grouping in one group, with the conditions that tell its records. */
export interface GroupValue {
  spec: string;
  /** As classic RPC shows it: `[id, name]`, `[start, label]`, a plain value, false when unset. */
  value: unknown;
  domain: unknown[];
  range: { from: string; to: string } | null;
  folded: boolean;
}

export interface Group {
  values: GroupValue[];
  aggregates: Record<string, unknown>;
}

/**
 * Groups of the rows that match, with values computed by Postgres.
 * @throws BAD_VALUE for specifications that are none and for too many groups, ACCESS_ERROR for fields out of reach
 */
export async function readGroups(ctx: Ctx, name: string, query: GroupQuery): Promise<Group[]> {
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  if (query.groupby.length > limits.groupings) throw errors.badValue('too many things to group by');
  if (query.aggregates.length > limits.aggregates) throw errors.badValue('too many aggregates');
  const properties = await groupedProperties(ctx, model, query.groupby);
  const groupings = query.groupby.map((spec) => parseGrouping(spec, model, ctx.catalog.registry, properties));
  const aggregates = query.aggregates.map((spec) => parseAggregate(spec, model));
  checkFields(ctx, model, groupings, aggregates);
  const statement = newStatement(ctx);
  const sql = groupSql(ctx, statement, model, groupings, aggregates, query);
  const rows = await ctx.db.rows<Row>(sql, statement.params);
  if (rows.length > limits.groups)
    throw errors.badValue(`over ${limits.groups} groups: ask for fewer with a limit, or group by less`);
  return rows.map((row) => groupOf(ctx, row, groupings, aggregates));
}

type Row = Record<string, unknown>;

function checkFields(ctx: Ctx, model: Model, groupings: Grouping[], aggregates: Aggregate[]): void {
  for (const { path } of groupings) {
    for (const step of path) {
      if (step.model !== model) checkModel(ctx, step.model, 'read');
      checkField(ctx, step.model, step.field, 'read');
    }
  }
  for (const { field } of aggregates) if (field) checkField(ctx, model, field, 'read');
}

/** Groups first, then their names, their order and the page: names are looked up once a group. */
function groupSql(
  ctx: Ctx,
  statement: Statement,
  model: Model,
  groupings: Grouping[],
  aggregates: Aggregate[],
  query: GroupQuery,
): string {
  const joins: string[] = [];
  const keys = groupings.map((grouping) => keySql(ctx, statement, grouping, joins));
  const values = aggregates.map((aggregate) => aggregateSql(statement, model, aggregate));
  const where = conditions(ctx, statement, model, query.domain || []);
  const columns = [
    ...keys.map((key, i) => `${key} as g${i}`),
    ...values.map((value, i) => `${value} as a${i}`),
  ];
  const by = keys.length ? ` group by ${keys.map((_, i) => i + 1).join(', ')}` : '';
  const inner = `select ${columns.length ? columns.join(', ') : '1'} from ${tableOf(model)} t${joins.join('')} where ${where}${by}`;
  const shown = groupings.flatMap((grouping, i) => shownSql(ctx, statement, grouping, i));
  const having = havingSql(statement, query.having, aggregates);
  const order = groupOrder(statement, groupings, aggregates, query.order);
  const limit = ` limit ${param(statement, Math.min(query.limit || Infinity, limits.groups + 1))}`;
  const offset = query.offset ? ` offset ${param(statement, query.offset)}` : '';
  return `select ${['g.*', ...shown].join(', ')} from (${inner}) g${having && ` where ${having}`}${order && ` order by ${order}`}${limit}${offset}`;
}

/** The expression that rows are grouped by. */
function keySql(ctx: Ctx, statement: Statement, grouping: Grouping, joins: string[]): string {
  const { field, granularity } = grouping;
  if (field.type === 'many2many') return linkKey(statement, field, joins);
  const value = pathSql(statement, grouping.path, 't');
  if (granularity) return dateKey(ctx, field, granularity, value);
  if (field.type === 'boolean') return `coalesce(${value}, false)`;
  return isText(field) ? `nullif(${value}, '')` : value;
}

/** A record with three tags is in three groups; tags that the reader may not read are none. */
function linkKey(statement: Statement, field: Field, joins: string[]): string {
  if (!field.join) throw errors.badValue(`Field '${field.name}' cannot be grouped by`);
  const { table, self, other, fixed } = field.join;
  const link = alias(statement);
  const more = Object.entries(fixed).map(([column, value]) => ` and ${link}.${quote(column)} = ${value}`);
  const target = statement.registry.get(field.relation!)!;
  const rule = statement.rule(target);
  if (rule) more.push(` and ${isReadable(statement, target, rule, `${link}.${quote(other)}`)}`);
  joins.push(
    ` left join ${quote(table)} ${link} on ${link}.workspace_id = $1 and ${link}.${quote(self)} = t.id${more.join('')}`,
  );
  return `${link}.${quote(other)}`;
}

/** Whether the reader may read the record of `target` with that id. */
function isReadable(statement: Statement, target: Model, rule: Node, id: string): string {
  const far = alias(statement);
  const allowed = whereSql(statement, rule, far, target);
  return `exists (select 1 from ${tableOf(target)} ${far} where ${scopeSql(target, far)} and ${far}.id = ${id} and ${allowed})`;
}

/** The value at the end of a path; unset where the path leads over a record that the reader may not read. */
function pathSql(statement: Statement, [step, ...rest]: Grouping['path'], row: string): string {
  const value = columnSql(statement, step!.model, step!.field, row);
  if (rest.length === 0) return value;
  const target = rest[0]!.model;
  const far = alias(statement);
  const rule = statement.rule(target);
  const allowed = rule ? ` and ${whereSql(statement, rule, far, target)}` : '';
  return `(select ${pathSql(statement, rest, far)} from ${tableOf(target)} ${far} where ${scopeSql(target, far)} and ${far}.id = ${value}${allowed})`;
}

/** Groups go by what the call itself says, whoever calls. */
const callZone = (ctx: Ctx): string => ctx.context.tz ?? 'UTC';
const langOf = (ctx: Ctx): string => ctx.context.lang ?? 'en_US';

function dateKey(ctx: Ctx, field: Field, granularity: string, value: string): string {
  const local =
    field.type === 'datetime'
      ? `(${value} at time zone 'UTC' at time zone ${text(callZone(ctx))})`
      : `${value}::timestamp`;
  if (!PERIODS.has(granularity))
    return `extract(${PARTS[granularity as keyof typeof PARTS]} from ${local})::float8`;
  if (granularity !== 'week') return `date_trunc('${granularity}', ${local})`;
  const shift = (8 - weekStartOf(langOf(ctx))) % 7;
  return shift
    ? `date_trunc('week', ${local} + interval '${shift} days') - interval '${shift} days'`
    : `date_trunc('week', ${local})`;
}

function aggregateSql(statement: Statement, model: Model, { field, operation }: Aggregate): string {
  if (!field) return 'count(*)::int';
  const column = columnSql(statement, model, field, 't');
  const value = field.type === 'datetime' ? `left(${column}::text, 19)` : column;
  switch (operation) {
    case 'sum':
    case 'sum_currency':
      return `coalesce(sum(${column}), 0)::float8`;
    case 'avg':
      return `avg(${column})::float8`;
    case 'count':
      return `count(${column})::int`;
    case 'count_distinct':
      return `count(distinct ${column})::int`;
    case 'array_agg':
    case 'recordset':
      return `to_json(array_agg(${value} order by t.id))`;
    case 'array_agg_distinct':
      return `to_json(array_agg(distinct ${value}))`;
    case 'bool_and':
    case 'bool_or':
      return `${operation}(coalesce(${column}, false))`;
    default:
      return field.type === 'monetary' ? `${operation}(${column})::float8` : `${operation}(${value})`;
  }
}

/** Whoever sees a link sees its name, but for a property: that leads where its definition says. */
function allowedSql(statement: Statement, grouping: Grouping, target: Model, far: string): string {
  const rule = grouping.isProperty ? statement.rule(target) : null;
  return rule ? ` and ${whereSql(statement, rule, far, target)}` : '';
}

/** What the answer shows of a group's key besides the key itself. */
function shownSql(ctx: Ctx, statement: Statement, grouping: Grouping, index: number): string[] {
  const { field, granularity } = grouping;
  const key = `g.g${index}`;
  if (field.relation) {
    const target = statement.registry.get(field.relation)!;
    const far = alias(statement);
    const from = `from ${tableOf(target)} ${far} where ${scopeSql(target, far)} and ${far}.id = ${key}${allowedSql(statement, grouping, target, far)}`;
    const fold = target.fields.get('fold');
    return [
      `(select ${displaySql(statement, target, far)} ${from}) as n${index}`,
      ...(fold?.type === 'boolean' ? [`(select ${far}.fold ${from}) as f${index}`] : []),
    ];
  }
  if (!granularity || !PERIODS.has(granularity)) return [];
  const utc = (moment: string): string =>
    field.type === 'date'
      ? `left((${moment})::text, 10)`
      : `left(((${moment}) at time zone ${text(callZone(ctx))} at time zone 'UTC')::text, 19)`;
  const step = granularity === 'quarter' ? '3 months' : `1 ${granularity}`;
  return [
    `left(${key}::text, 19) as l${index}`,
    `${utc(key)} as s${index}`,
    `${utc(`${key} + interval '${step}'`)} as e${index}`,
  ];
}

/** By the order given, else by the keys; a relation in the order its records have among themselves. */
function groupOrder(
  statement: Statement,
  groupings: Grouping[],
  aggregates: Aggregate[],
  order: string | null | undefined,
): string {
  const terms = (order || groupings.map((grouping) => grouping.spec).join(', '))
    .split(',')
    .map((term) => term.trim())
    .filter(Boolean);
  return terms.map((term) => groupTerm(statement, groupings, aggregates, term)).join(', ');
}

const TERM = /^([\w.:]+)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?$/i;

function groupTerm(
  statement: Statement,
  groupings: Grouping[],
  aggregates: Aggregate[],
  term: string,
): string {
  const [, spec, direction, nulls] = TERM.exec(term) ?? [];
  const end = `${direction?.toLowerCase() === 'desc' ? ' desc' : ''}${nulls ? ` nulls ${nulls.toLowerCase()}` : ''}`;
  const aggregate = aggregates.findIndex((each) => each.spec === spec);
  if (aggregate >= 0) return `g.a${aggregate}${end}`;
  const index = groupings.findIndex((each) => each.spec === spec || each.spec.split(':')[0] === spec);
  if (index < 0) throw errors.badOrder(term.slice(0, 80));
  const { field, path } = groupings[index]!;
  if (!field.relation || path.length > 1) return `g.g${index}${end}`;
  return relationOrder(statement, groupings[index]!, `g.g${index}`, direction?.toLowerCase() === 'desc');
}

function relationOrder(statement: Statement, grouping: Grouping, key: string, down: boolean): string {
  const target = statement.registry.get(grouping.field.relation!)!;
  const far = alias(statement);
  const allowed = allowedSql(statement, grouping, target, far);
  const terms = orderTerms({ ...statement, checkField: () => undefined }, target, target.order, far);
  return terms
    .map((each) => {
      const value = `(select ${each.sql} from ${tableOf(target)} ${far} where ${scopeSql(target, far)} and ${far}.id = ${key}${allowed})`;
      return `${value}${each.down !== down ? ' desc' : ''}`;
    })
    .join(', ');
}

function groupOf(ctx: Ctx, row: Row, groupings: Grouping[], aggregates: Aggregate[]): Group {
  return {
    values: groupings.map((grouping, index) => keyOf(ctx, row, grouping, index)),
    aggregates: Object.fromEntries(aggregates.map(({ spec }, index) => [spec, row[`a${index}`] ?? false])),
  };
}

function keyOf(ctx: Ctx, row: Row, { spec, field, granularity }: Grouping, index: number): GroupValue {
  const key = row[`g${index}`];
  const name = spec.split(':')[0]!;
  const plain = { spec, range: null, folded: row[`f${index}`] === true };
  if (key === null || key === undefined) {
    const zero = isNumber(field) && !granularity ? 0 : false;
    return { ...plain, value: zero, domain: [[name, '=', zero]] };
  }
  if (field.relation) return { ...plain, value: [key, row[`n${index}`] ?? ''], domain: [[name, '=', key]] };
  if (!granularity) {
    const value = isNumber(field) ? Number(key) : key;
    return { ...plain, value, domain: [[name, '=', value]] };
  }
  if (!PERIODS.has(granularity))
    return { ...plain, value: key, domain: [[`${name}.${granularity}`, '=', key]] };
  const [from, to] = [row[`s${index}`] as string, row[`e${index}`] as string];
  const label = periodLabel(granularity as Period, row[`l${index}`] as string, langOf(ctx));
  return {
    ...plain,
    value: [from, label],
    domain: ['&', [name, '>=', from], [name, '<', to]],
    range: { from, to },
  };
}
