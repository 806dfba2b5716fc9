import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { POSTGRES_DATE_PARTS } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import { isAlwaysSet, isNumberField, isTextField } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import {
  buildColumnSql,
  buildComparedColumnSql,
  buildDisplayNameSql,
  buildListOwnerSql,
  buildSourceSql,
  buildTableSql,
} from '../sql/columns.ts';
import { buildCompanySql, buildOwnRatesSql } from '../sql/money-sql.ts';
import { buildOrderTerms, DIRECTION_SQL, type OrderTerm } from '../sql/order.ts';
import { createPathJoins, type PathJoins } from '../sql/path-joins.ts';
import { addSource, createAlias, getMainSource, type ModelRows, type Statement } from '../sql/statement.ts';
import { buildRuleSql } from '../sql/where.ts';
import {
  type Aggregate,
  GROUP_TEXT_CHARS,
  type Grouping,
  isListAggregate,
  isLongText,
  isTextAggregate,
  PERIODS,
} from './group-spec.ts';
import { buildHavingSql } from './having.ts';

export interface GroupPlan {
  model: Model;
  groupings: Grouping[];
  aggregates: Aggregate[];
  having: unknown;
  order: string | null;
  offset: number;
  limit: number | null;
  zone: string;
  /** First day of the week. 1 is Monday, 7 is Sunday. */
  weekStart: number;
  /** Language of labels. */
  lang: string;
  /** Language that numbers weeks. */
  weekLang: string;
}

/**
 * Builds the group query. Names, order and page are added after the grouping, so that names are looked up once per
 * group. A group's keys are `g0`, `g1` …, and its values are `a0`, `a1` …. A relation also has its name `n0` and its
 * fold state `f0`. A period also has its local start `l0`, and its start `s0` and end `e0` in UTC.
 */
export function buildGroupSql(statement: Statement, plan: GroupPlan, where: Sql): Sql {
  const { model, groupings, aggregates } = plan;
  const joins: GroupJoins = { paths: createPathJoins(statement), links: [] };
  const keys = groupings.map((grouping) => buildKeySql(statement, plan, grouping, joins));
  const values = aggregates.map((aggregate) => buildAggregateSql(statement, model, aggregate, joins));
  const columns = [
    ...keys.map((key, i) => addColumnAlias(key, 'g', i)),
    ...values.map((value, i) => addColumnAlias(value, 'a', i)),
  ];
  const groupNumbers = sql.join(groupings.map((_, i) => sql.literal(i + 1)));
  const inner = sql`select ${columns.length ? sql.join(columns) : sql`count(*)`}
    from ${buildTableSql(statement, model)} t${joins.paths.sql()}${sql.join(joins.links, '')}
    where ${where}${groupings.length ? sql` group by ${groupNumbers}` : sql.empty}`;
  const infoColumns = groupings.flatMap((grouping, i) => buildGroupInfoSql(statement, plan, grouping, i));
  const havingSql = buildHavingSql(plan.having, aggregates);
  const order = buildGroupOrder(statement, plan);
  const limit = Math.min(plan.limit || Infinity, limits.record.groups + 1);
  return buildMeasuredGroupsSql(
    plan,
    sql`select ${sql.join([sql`g.*`, sql`true as is_group`, ...infoColumns])} from (${inner}) g
    ${havingSql ? sql`where ${havingSql}` : sql.empty}
    ${order.length ? sql`order by ${sql.join(order)}` : sql.empty}
    limit ${limit}${plan.offset ? sql` offset ${plan.offset}` : sql.empty}`,
  );
}

/**
 * Adds the column `bytes`, the total size of all strings and lists on the page. If the size exceeds the limit, or if
 * there are no groups, the result is a single row whose `is_group` is null.
 */
function buildMeasuredGroupsSql({ groupings, aggregates }: GroupPlan, page: Sql): Sql {
  const texts = [
    ...groupings.flatMap(({ field }, i) => (field.relation ? `n${i}` : isTextField(field) ? `g${i}` : [])),
    ...aggregates.flatMap((aggregate, i) =>
      isListAggregate(aggregate) || isTextAggregate(aggregate) ? `a${i}` : [],
    ),
  ];
  if (texts.length === 0) return page;
  const sizes = texts.map((name) => sql`coalesce(octet_length(${sql.id('p', name)}::text), 0)`);
  return sql`with page as materialized (${page})
    select w.bytes, p.* from (select sum(${sql.join(sizes, ' + ')}) as bytes from page p) w
    left join page p on w.bytes <= ${sql.literal(limits.record.groupBytes)}`;
}

const addColumnAlias = (value: Sql, prefix: string, index: number): Sql =>
  sql`${value} as ${sql.id(`${prefix}${index}`)}`;

interface GroupJoins {
  paths: PathJoins;
  links: Sql[];
}

function buildKeySql(
  statement: Statement,
  plan: GroupPlan,
  grouping: Grouping,
  { paths, links }: GroupJoins,
): Sql {
  const { field, granularity } = grouping;
  if (field.type === 'many2many') return buildLinkKeySql(statement, plan.model, field, links);
  const value = buildPathSql(statement, getMainSource(plan.model), grouping.path, paths);
  if (granularity) return buildDateKeySql(plan, field, granularity, value);
  return field.type === 'boolean' ? sql`coalesce(${value}, false)` : value;
}

/**
 * Builds SQL for the id of each tag, so that a record with several tags is in several groups. Ignores tags that the
 * caller may not read.
 */
function buildLinkKeySql(statement: Statement, model: Model, field: Field, joins: Sql[]): Sql {
  if (!field.join) throw errors.badValue(`Field '${field.name}' cannot be used for grouping`);
  const { table, self, other, fixed } = field.join;
  const link = createAlias(statement);
  const owner = buildListOwnerSql(statement, getMainSource(model), field);
  const id = sql`${link}.${sql.id(other)}`;
  const on = Object.entries(fixed).map(
    ([column, value]) => sql` and ${link}.${sql.id(column)} = ${sql.literal(value)}`,
  );
  const target = statement.registry.get(field.relation!)!;
  if (statement.rule(target)) on.push(buildReadableConditionSql(statement, addSource(statement, target), id));
  joins.push(sql` left join ${sql.id(table)} ${link} on ${link}.workspace_id = ${statement.workspace}
    and ${link}.${sql.id(self)} = ${owner.id}${sql.join(on, '')}`);
  return id;
}

const buildReadableConditionSql = (statement: Statement, target: ModelRows, id: Sql): Sql =>
  sql` and exists (select 1 from ${buildSourceSql(statement, target)}
    and ${target.row}.id = ${id}${buildRuleSql(statement, target)})`;

/** Builds SQL for the value at the end of a path. Null if the caller may not read a record in the path. */
function buildPathSql(
  statement: Statement,
  source: ModelRows,
  path: Grouping['path'],
  joins: PathJoins,
): Sql {
  const { field } = path.at(-1)!;
  const last = path.slice(0, -1).reduce((from, step) => joins.follow(from, step.field), source);
  return joins.buildValueSql(
    last,
    buildOutputValueSql(field, buildComparedColumnSql(statement, last, field)),
  );
}

/** Normalizes a value for output: an empty string becomes null, and an unset number becomes 0. */
function buildOutputValueSql(field: Field, value: Sql): Sql {
  if (isNumberField(field) && !isAlwaysSet(field)) return sql`coalesce(${value}, 0)`;
  return isTextField(field) ? sql`nullif(${buildShortTextSql(field, value)}, '')` : value;
}

/**
 * Builds SQL for the start of a string, so that PostgreSQL reads, hashes and returns only this part of a long value.
 */
const buildShortTextSql = (field: Field, value: Sql): Sql =>
  isLongText(field) ? sql`left(${value}, ${sql.literal(GROUP_TEXT_CHARS)})` : value;

function buildDateKeySql({ zone, weekStart }: GroupPlan, field: Field, granularity: string, value: Sql): Sql {
  const local =
    field.type === 'datetime'
      ? sql`(${value} at time zone 'UTC' at time zone ${sql.literal(zone)})`
      : sql`${value}::timestamp`;
  if (!PERIODS.has(granularity)) {
    const part = sql.literal(POSTGRES_DATE_PARTS[granularity as keyof typeof POSTGRES_DATE_PARTS]);
    return sql`floor(extract(${part} from ${local}))::float8`;
  }
  return buildPeriodStartSql(weekStart, granularity, local);
}

function buildPeriodStartSql(weekStart: number, granularity: string, local: Sql): Sql {
  if (granularity !== 'week') return sql`date_trunc(${sql.literal(granularity)}, ${local})`;
  const shift = (8 - weekStart) % 7;
  const days = sql`interval ${sql.literal(`${shift} days`)}`;
  return shift ? sql`date_trunc('week', ${local} + ${days}) - ${days}` : sql`date_trunc('week', ${local})`;
}

function buildAggregateSql(
  statement: Statement,
  model: Model,
  { field, operation }: Aggregate,
  joins: GroupJoins,
): Sql {
  if (!field) return sql`count(*)::int`;
  const column = buildComparedColumnSql(statement, getMainSource(model), field);
  const value = field.type === 'datetime' ? sql`left(${column}::text, 19)` : buildShortTextSql(field, column);
  switch (operation) {
    case 'sum':
      return sql`coalesce(sum(${column}), 0)::float8`;
    case 'sum_currency':
      return sql`coalesce(sum(${column} * ${buildRateToOwnSql(statement, model, field, joins)}), 0)::float8`;
    case 'avg':
      return sql`avg(${column})::float8`;
    case 'count':
      return sql`count(${column})::int`;
    case 'count_distinct':
      return sql`count(distinct ${column})::int`;
    case 'array_agg':
    case 'recordset':
      return sql`to_json(array_agg(${value} order by t.id))`;
    case 'array_agg_distinct':
      return sql`to_json(array_agg(distinct ${value}))`;
    case 'bool_and':
      return sql`bool_and(coalesce(${column}, false))`;
    case 'bool_or':
      return sql`bool_or(coalesce(${column}, false))`;
    default: {
      const extreme = operation === 'min' ? sql`min` : sql`max`;
      return field.type === 'monetary' ? sql`${extreme}(${column})::float8` : sql`${extreme}(${value})`;
    }
  }
}

/**
 * Builds SQL for today's exchange rate from an amount's currency to the currency of the caller's company. Looks up each
 * currency once.
 */
function buildRateToOwnSql(statement: Statement, model: Model, field: Field, joins: GroupJoins): Sql {
  const rates = createAlias(statement);
  const day = sql`${sql.literal(statement.today())}::date`;
  const currency = buildColumnSql(statement, getMainSource(model), model.fields.get(field.currency!)!);
  const ownRates = buildOwnRatesSql(statement.workspace, buildCompanySql(statement), day);
  joins.links.push(sql` left join (${ownRates} offset 0) ${rates}
    on ${rates}.id = ${currency}`);
  return sql`coalesce(${rates}.rate, 1)`;
}

/**
 * A caller who sees a link may see the linked record's name, except for properties, whose definitions can name any
 * model.
 */
const buildPropertyRuleSql = (statement: Statement, { isProperty }: Grouping, target: ModelRows): Sql =>
  isProperty ? buildRuleSql(statement, target) : sql.empty;

function buildGroupInfoSql(
  statement: Statement,
  { zone }: GroupPlan,
  grouping: Grouping,
  index: number,
): Sql[] {
  const { field, granularity } = grouping;
  const key = sql.id('g', `g${index}`);
  if (field.relation) {
    const target = addSource(statement, statement.registry.get(field.relation)!);
    const from = sql`from ${buildSourceSql(statement, target)}
      and ${target.row}.id = ${key}${buildPropertyRuleSql(statement, grouping, target)}`;
    const name = addColumnAlias(sql`(select ${buildDisplayNameSql(statement, target)} ${from})`, 'n', index);
    const isFolding = target.model.fields.get('fold')?.type === 'boolean';
    return isFolding ? [name, addColumnAlias(sql`(select ${target.row}.fold ${from})`, 'f', index)] : [name];
  }
  if (!granularity || !PERIODS.has(granularity)) return [];
  const buildUtcSql = (local: Sql): Sql =>
    field.type === 'date'
      ? sql`left((${local})::text, 10)`
      : sql`left((${buildFirstInstantSql(zone, local)})::text, 19)`;
  const step = buildPeriodStepSql(grouping);
  return [
    addColumnAlias(sql`left(${key}::text, 19)`, 'l', index),
    addColumnAlias(buildUtcSql(key), 's', index),
    addColumnAlias(buildUtcSql(sql`${key} + interval ${step}`), 'e', index),
  ];
}

/** Builds SQL for the length of a period, which is at least a day for dates without a time. */
function buildPeriodStepSql({ field, granularity }: Grouping): Sql {
  const period = field.type === 'date' && granularity === 'hour' ? 'day' : granularity;
  return sql.literal(period === 'quarter' ? '3 months' : `1 ${period}`);
}

/**
 * Builds SQL that lists the periods of the first grouping between two local times, in the format of group rows. Lists
 * at least `least` periods.
 */
export function buildPeriodsSql(
  statement: Statement,
  plan: GroupPlan,
  { from, to, least }: { from: string; to: string; least: number },
): Sql {
  const grouping = plan.groupings[0]!;
  const step = sql`interval ${buildPeriodStepSql(grouping)}`;
  const start = (local: string): Sql =>
    buildPeriodStartSql(plan.weekStart, grouping.granularity!, sql`${local}::timestamp`);
  const columns = sql.join(buildGroupInfoSql(statement, plan, grouping, 0));
  return sql`select g.g0, ${columns} from (
      select generate_series(p.first, greatest(p.last, p.first + ${least - 1} * ${step}), ${step}) as g0
      from (select ${start(from)} as first, ${start(to)} as last) p
      where p.first <= p.last or ${least} > 0
    ) g limit ${limits.record.groups + 1}`;
}

/**
 * Builds SQL for the first UTC instant of a local time. When daylight saving time ends, an hour occurs twice, and
 * PostgreSQL chooses the second occurrence. The UTC offset of the previous day yields the first occurrence, if that is
 * the same local time.
 */
function buildFirstInstantSql(zone: string, local: Sql): Sql {
  const zoneSql = sql.literal(zone);
  const second = sql`(${local}) at time zone ${zoneSql} at time zone 'UTC'`;
  const first = sql`((${local} - interval '1 day') at time zone ${zoneSql} at time zone 'UTC' + interval '1 day')`;
  return sql`case when ${first} at time zone 'UTC' at time zone ${zoneSql} = ${local} then least(${first}, ${second})
    else ${second} end`;
}

/** Sorts by the requested order, or by the keys. A relation uses the related model's default order. */
function buildGroupOrder(statement: Statement, plan: GroupPlan): Sql[] {
  const specs = plan.groupings.map((grouping) => grouping.spec);
  const orderTerms = (plan.order || specs.join(', ')).split(',').map((term) => term.trim());
  const names = orderTerms.map((term) => term.split(/\s/)[0]);
  // Repeated terms have no effect.
  const terms = orderTerms.filter((term, index) => term && names.indexOf(names[index]) === index);
  // Sorting by the keys last makes the order total, so that pages do not skip groups.
  const keys = plan.groupings.map((_, index) => sql.id('g', `g${index}`));
  return [...terms.flatMap((term) => buildGroupTerm(statement, plan, term)), ...keys];
}

const GROUP_ORDER_TERM = /^([\w.:]+)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?$/i;

function buildGroupTerm(statement: Statement, { groupings, aggregates }: GroupPlan, term: string): Sql[] {
  const [, spec, direction, written = ''] = GROUP_ORDER_TERM.exec(term) ?? [];
  const down = direction?.toLowerCase() === 'desc';
  const nulls = written.toLowerCase() as OrderTerm['nulls'];
  const end = DIRECTION_SQL[down ? 'down' : 'up'][nulls];
  const aggregate = aggregates.findIndex((aggregate) => aggregate.spec === spec);
  if (aggregate >= 0 && isListAggregate(aggregates[aggregate]!)) throw errors.badOrder(term.slice(0, 80));
  if (aggregate >= 0) return [sql`${sql.id('g', `a${aggregate}`)}${end}`];
  const index = groupings.findIndex(
    (grouping) => grouping.spec === spec || grouping.spec.split(':')[0] === spec,
  );
  if (index < 0) throw errors.badOrder(term.slice(0, 80));
  const { field, path } = groupings[index]!;
  const key = sql.id('g', `g${index}`);
  if (!field.relation || path.length > 1) return [sql`${key}${end}`];
  return buildRelationOrder(statement, groupings[index]!, key, { down, nulls });
}

/** Treats records that the caller may not read as unset. */
function buildRelationOrder(
  statement: Statement,
  { field }: Grouping,
  key: Sql,
  { down, nulls }: { down: boolean; nulls: OrderTerm['nulls'] },
): Sql[] {
  const target = addSource(statement, statement.registry.get(field.relation!)!);
  const rule = buildRuleSql(statement, target);
  const from = sql`from ${buildSourceSql(statement, target)} and ${target.row}.id = ${key}${rule}`;
  return buildOrderTerms({ ...statement, checkCompared: () => undefined }, target, target.model.order).map(
    (item) =>
      sql`(select ${item.sql} ${from})${DIRECTION_SQL[item.descending !== down ? 'down' : 'up'][nulls]}`,
  );
}
