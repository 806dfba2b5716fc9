import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { canAccessModel } from '../access/access.ts';
import { createStatement } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { FillTemporal } from '../model/principal.ts';
import { type Aggregate, isListAggregate, PERIODS } from './group-spec.ts';
import { buildPeriodsSql, type GroupPlan } from './group-sql.ts';
import { searchRead } from './records.ts';

// Adds groups without records if the context requests them: missing periods (`fill_temporal`), and related records that
// are always shown, such as the stages of a board (`read_group_expand`).

type GroupRow = Record<string, unknown>;

/**
 * Returns an aggregate's value in an empty group (Odoo 19): 0 for counts, an empty list for lists, and false for all
 * others.
 */
const getEmptyValue = (aggregate: Aggregate): unknown => {
  if (aggregate.operation.startsWith('count')) return 0;
  return isListAggregate(aggregate) ? [] : false;
};

const buildEmptyRow = ({ aggregates }: GroupPlan): GroupRow =>
  Object.fromEntries(aggregates.map((aggregate, index) => [`a${index}`, getEmptyValue(aggregate)]));

/** Adds rows for missing periods. Periods are in ascending order, unless the order starts with them descending. */
export async function addEmptyPeriods(
  ctx: Ctx,
  plan: GroupPlan,
  rows: GroupRow[],
  fill: FillTemporal,
): Promise<GroupRow[]> {
  const granularity = plan.groupings[0]?.granularity;
  if (!granularity || !PERIODS.has(granularity)) return rows;
  if (plan.limit || plan.offset)
    throw errors.badValue(
      'fill_temporal cannot be combined with a limit or an offset, because groups would be missing',
    );
  const starts = rows.flatMap(({ l0 }) => (typeof l0 === 'string' ? [l0] : [])).sort();
  const from = fill.from ?? starts[0] ?? fill.to;
  const to = fill.to ?? starts.at(-1) ?? fill.from;
  if (!from || !to) return rows;
  const periods = await ctx.db.rows<GroupRow>(
    buildPeriodsSql(createStatement(ctx), plan, { from, to, least: fill.minGroups }),
  );
  if (periods.length > limits.record.groups) throw errors.tooManyGroups(limits.record.groups);
  const existingStarts = new Set(starts);
  const emptyGroups = periods
    .filter(({ l0 }) => !existingStarts.has(l0 as string))
    .map((row) => ({ ...buildEmptyRow(plan), ...row }));
  const isReversed = startsDescending(plan);
  // Rows without a period keep their place: last by default, and first in descending order unless `nulls last` is set.
  const unsetStart = isReversed && typeof rows[0]?.l0 === 'string' ? '' : '\uffff';
  const getGroupStart = ({ l0 }: GroupRow): string => (typeof l0 === 'string' ? l0 : unsetStart);
  return [...rows, ...emptyGroups].sort((a, b) => {
    const [first, second] = isReversed
      ? [getGroupStart(b), getGroupStart(a)]
      : [getGroupStart(a), getGroupStart(b)];
    return first < second ? -1 : first > second ? 1 : 0;
  });
}

function startsDescending({ order, groupings: [grouping] }: GroupPlan): boolean {
  const [name, direction] = (order ?? '').trim().split(/[\s,]+/, 2);
  return direction?.toLowerCase() === 'desc' && [grouping!.spec, grouping!.field.name].includes(name!);
}

/** Adds rows for records that the model shows as groups even if the groups are empty. */
export async function addEmptyRecords(ctx: Ctx, plan: GroupPlan, rows: GroupRow[]): Promise<GroupRow[]> {
  const field = findExpandedField(plan);
  const target = field && ctx.catalog.registry.get(field.relation!);
  if (!field || !target || !canAccessModel(ctx, target, 'read')) return rows;
  if (plan.offset || (plan.limit && rows.length >= plan.limit)) return rows;
  const grouped = ['id', 'in', rows.flatMap(({ g0 }) => (g0 === null ? [] : [g0]))];
  const expandedDomain = plan.model.options.expands![field.name]!(ctx);
  const domain = expandedDomain.length > 0 ? ['|', grouped, ...expandedDomain] : [];
  const isFolding = target.fields.get('fold')?.type === 'boolean';
  const fields = ['display_name', ...(isFolding ? ['fold'] : [])];
  const page = { limit: limits.record.groups + 1 };
  const emptyRecords = await searchRead(ctx, { model: target.name, domain, fields, page });
  const records = emptyRecords.value<{ id: number; display_name: string; fold?: boolean }[]>();
  if (isDescending(plan, field)) records.reverse();
  const byId = new Map(rows.map((row) => [row.g0, row]));
  const listedRows = records.map(
    ({ id, display_name: name, fold }) =>
      byId.get(id) ?? { ...buildEmptyRow(plan), g0: id, n0: name, ...(isFolding && { f0: fold === true }) },
  );
  const knownIds = new Set(records.map(({ id }) => id as unknown));
  const all = [...listedRows, ...rows.filter(({ g0 }) => !knownIds.has(g0))];
  return plan.limit && all.length >= plan.limit ? rows : all;
}

/** Returns the relation if the plan has a single grouping whose groups may be empty. */
export function findExpandedField({ model, groupings }: GroupPlan): Field | null {
  const [grouping] = groupings;
  if (!grouping || groupings.length > 1 || grouping.path.length > 1 || grouping.isProperty) return null;
  return model.options.expands?.[grouping.field.name] ? grouping.field : null;
}

const isDescending = ({ order }: GroupPlan, { name }: Field): boolean =>
  (order ?? '').toLowerCase().includes(`${name} desc`);
