import type { Sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { mapYielding } from '../../loop/yield.ts';
import { assertComparable, assertModelAccess } from '../access/access.ts';
import { createStatement, getReadableModel } from '../access/create-statement.ts';
import { readSharedRows } from '../ctx/batcher.ts';
import { getFirstWeekday, getPeriodZone, getWeekLanguage } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isFractionField, isNumberField } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { SOURCE_LANGUAGE } from '../model/translations.ts';
import { isLonger } from '../value/is-longer.ts';
import { addEmptyPeriods, addEmptyRecords, findExpandedField } from './fill-groups.ts';
import { buildEmptyDomain, buildKeyDomain, buildStartDomain } from './group-domain.ts';
import {
  GROUP_TEXT_CHARS,
  type Grouping,
  isFractionAggregate,
  isLongText,
  PERIODS,
  type Period,
  parseAggregate,
  parseGrouping,
} from './group-spec.ts';
import { buildGroupSql, type GroupPlan } from './group-sql.ts';
import { formatPeriod } from './period.ts';
import { loadGroupedProperties } from './property-group.ts';
import { buildConditionsSql } from './query.ts';

/** Maximum number of fields to group by, and of grouping sets, per call. */
export const MAX_GROUPINGS = 20;
/**
 * Maximum number of groupings by list fields, such as tags. A record belongs to a group for each combination of list
 * items.
 */
const MAX_LIST_GROUPINGS = 2;
const MAX_AGGREGATES = 100;

interface GroupQuery {
  domain: unknown;
  groupby: unknown[];
  aggregates: unknown[];
  having?: unknown;
  order?: string | null;
  offset?: number;
  limit?: number | null;
}

/** A grouping's value in one group, and the domain that selects the group's records. */
export interface GroupValue {
  spec: string;
  /** The value in the format of classic RPC: `[id, name]`, `[start, label]`, a plain value, or false if unset. */
  value: unknown;
  domain: unknown[];
  range: { from: string; to: string } | null;
  folded: boolean;
}

export interface Group {
  values: GroupValue[];
  aggregates: Record<string, unknown>;
  /** Names of the values and aggregates that may have decimals. */
  fractions: ReadonlySet<string>;
  /** True if the response contains the group's fold state. */
  fold: boolean;
}

/**
 * Groups the matching rows and computes their aggregates in PostgreSQL.
 * @throws BAD_VALUE for invalid specifications or too many groups, ACCESS_ERROR for inaccessible fields
 */
export async function readGroups(ctx: Ctx, name: string, query: GroupQuery): Promise<Group[]> {
  const model = getReadableModel(ctx, name);
  const plan = await buildPlan(ctx, model, query);
  assertFieldsComparable(ctx, plan);
  const statement = createStatement(ctx);
  const where = buildConditionsSql(ctx, statement, model, query.domain || []);
  const groupRows = await readGroupRows(ctx, buildGroupSql(statement, plan, where));
  const { fillTemporal, expandGroups } = ctx.context;
  const expandedRows = expandGroups ? await addEmptyRecords(ctx, plan, [...groupRows]) : groupRows;
  const rows = fillTemporal
    ? await addEmptyPeriods(ctx, plan, [...expandedRows], fillTemporal)
    : expandedRows;
  if (rows.length > limits.record.groups) throw errors.tooManyGroups(limits.record.groups);
  const fractions = new Set([
    ...plan.groupings.filter(({ field }) => isFractionField(field)).map(({ spec }) => spec),
    ...plan.aggregates.filter(isFractionAggregate).map(({ spec }) => spec),
  ]);
  const fold = expandGroups === true && findExpandedField(plan) !== null;
  return mapYielding(rows, (row) => ({
    ...buildGroup(row, plan, fractions),
    fold: fold && 'f0' in row,
  }));
}

async function buildPlan(ctx: Ctx, model: Model, query: GroupQuery): Promise<GroupPlan> {
  if (query.groupby.length > MAX_GROUPINGS) throw errors.badValue('the call has too many groupings');
  if (query.aggregates.length > MAX_AGGREGATES) throw errors.badValue('the call has too many aggregates');
  // Removes duplicates, because a repeated list would be joined with itself and multiply the rows.
  const specs = [...new Set(query.groupby)];
  const properties = await loadGroupedProperties(ctx, model, specs);
  const groupings = specs.map((spec) => parseGrouping(spec, model, ctx.catalog.registry, properties));
  if (groupings.filter(({ field }) => field.type === 'many2many').length > MAX_LIST_GROUPINGS)
    throw errors.badValue(`a call can group by at most ${MAX_LIST_GROUPINGS} list fields`);
  return {
    model,
    groupings,
    aggregates: [...new Set(query.aggregates)].map((spec) => parseAggregate(spec, model)),
    having: query.having,
    order: query.order ?? null,
    offset: query.offset ?? 0,
    limit: query.limit ?? null,
    zone: getPeriodZone(ctx) ?? 'UTC',
    weekStart: getFirstWeekday(ctx),
    // Labels use the language of the call, not that of the user.
    lang: ctx.context.lang ?? SOURCE_LANGUAGE,
    weekLang: getWeekLanguage(ctx),
  };
}

type GroupRow = Record<string, unknown>;

/** @throws USER_ERROR if the strings and lists in the groups exceed `limits.record.groupBytes` */
async function readGroupRows(ctx: Ctx, statement: Sql): Promise<readonly GroupRow[]> {
  const rows = await readSharedRows<GroupRow>(ctx, statement).catch((error) => {
    throw error.code === PROGRAM_LIMIT_EXCEEDED ? errors.answerTooLarge() : error;
  });
  const [first] = rows;
  if (first?.is_group) return rows;
  if (Number(first?.bytes) > limits.record.groupBytes) throw errors.answerTooLarge();
  return [];
}

/** SQLSTATE for a list of more than 1 GB. */
const PROGRAM_LIMIT_EXCEEDED = '54000';

function assertFieldsComparable(ctx: Ctx, { model, groupings, aggregates }: GroupPlan): void {
  for (const { path } of groupings) {
    for (const step of path) {
      if (step.model !== model) assertModelAccess(ctx, step.model, 'read');
      assertComparable(ctx, step.model, step.field);
    }
  }
  for (const { field } of aggregates) if (field) assertComparable(ctx, model, field);
}

function buildGroup(
  row: GroupRow,
  { groupings, aggregates, lang, weekLang }: GroupPlan,
  fractions: ReadonlySet<string>,
): Omit<Group, 'fold'> {
  return {
    values: groupings.map((grouping, index) =>
      buildGroupValue(row, { grouping, index, lang: grouping.granularity === 'week' ? weekLang : lang }),
    ),
    aggregates: Object.fromEntries(aggregates.map(({ spec }, index) => [spec, row[`a${index}`] ?? false])),
    fractions,
  };
}

const isTruncatedText = (field: Field, value: unknown): value is string =>
  isLongText(field) && isLonger(value as string, GROUP_TEXT_CHARS - 1);

/** The last time that fields can store. */
const LAST_TIME = '9999-12-31 23:59:59';

interface GroupingPosition {
  grouping: Grouping;
  index: number;
  lang: string;
}

function buildGroupValue(row: GroupRow, { grouping, index, lang }: GroupingPosition): GroupValue {
  const { spec, field, granularity } = grouping;
  const key = row[`g${index}`];
  const plain = { spec, range: null, folded: row[`f${index}`] === true };
  if (key === null || key === undefined)
    return { ...plain, value: false, domain: buildEmptyDomain(grouping) };
  const buildEquality = (value: unknown) => buildKeyDomain(grouping, (name) => [[name, '=', value]]);
  if (field.relation) return { ...plain, value: [key, row[`n${index}`] ?? ''], domain: buildEquality(key) };
  if (!granularity) {
    const value = isNumberField(field) ? Number(key) : key;
    const isUnset = value === false && grouping.path.length > 1;
    if (isUnset) return { ...plain, value, domain: buildEmptyDomain(grouping) };
    return {
      ...plain,
      value,
      domain: isTruncatedText(field, value) ? buildStartDomain(grouping, value) : buildEquality(value),
    };
  }
  if (!PERIODS.has(granularity)) {
    const domain = buildKeyDomain(grouping, (name) => [[`${name}.${granularity}`, '=', key]]);
    return { ...plain, value: key, domain };
  }
  const [from, to] = [row[`s${index}`] as string, row[`e${index}`] as string];
  const label = formatPeriod(granularity as Period, row[`l${index}`] as string, lang);
  // No value reaches the end of a period that ends in the year 10000, which conditions reject.
  const hasEnd = to[4] === '-';
  const domain = buildKeyDomain(grouping, (name) =>
    hasEnd ? ['&', [name, '>=', from], [name, '<', to]] : [[name, '>=', from]],
  );
  const range = { from, to: hasEnd ? to : LAST_TIME.slice(0, to.length) };
  return { ...plain, value: [from, label], domain, range };
}
