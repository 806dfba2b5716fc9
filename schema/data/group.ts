import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { isNumberField, isReturnedByDefault } from '../../src/engine/model/field.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { type Group, MAX_GROUPINGS, readGroups } from '../../src/engine/read/group.ts';
import { assertRepeatable } from '../../src/engine/read/group-domain.ts';
import type { PageOptions } from '../../src/engine/read/query.ts';
import { parsePage } from '../../src/engine/read/query.ts';
import { toFraction } from '../../src/engine/value/fraction.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { mapYielding } from '../../src/loop/yield.ts';

// Grouping operations. Argument names and positions follow classic RPC (Odoo 19).

const reads: Policy = { auth: ['USER'], scope: 'read' };

export const recordFormattedReadGroup = defineOperation('recordFormattedReadGroup', {
  effects: ['reads'],
  tool: 'aggregate',
  address: '*/formatted_read_group',
  policy: reads,
  description:
    'Groups the records that match a domain and returns aggregates for each group, such as `__count` or `amount:sum`.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    domain: arg({ type: 'JSON', required: true }),
    groupby: arg.stringList({
      description: 'Fields to group by, such as `stage_id` or `create_date:month`.',
    }),
    aggregates: arg.stringList({ description: 'Aggregates to compute, such as `__count` or `amount:sum`.' }),
    having: arg({ type: 'JSON', description: 'Conditions on aggregates, as a domain.' }),
    offset: arg.int({ defaultValue: 0 }),
    limit: arg.int(),
    order: arg.string(),
  }),
  run: async (ctx, { model, domain, groupby, aggregates, having, offset, limit, order }) => {
    const query = {
      domain,
      groupby: groupby ?? [],
      aggregates: aggregates ?? [],
      ...parsePage(offset, limit, order),
    };
    return mapYielding(await readGroups(ctx, model, { having, ...query }), formatGroup);
  },
});

export const recordFormattedReadGroupingSets = defineOperation('recordFormattedReadGroupingSets', {
  effects: ['reads'],
  address: '*/formatted_read_grouping_sets',
  policy: reads,
  description: 'Works like `formatted_read_group`, but computes several groupings of the same records.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    domain: arg({ type: 'JSON', required: true }),
    groupingSets: arg({
      type: 'JSON',
      required: true,
      description: 'List of groupings, each a list of fields.',
    }),
    aggregates: arg.stringList({ description: 'Aggregates to compute, such as `__count` or `amount:sum`.' }),
    order: arg.string(),
  }),
  run: async (ctx, { model, domain, groupingSets: sets, aggregates, order }) => {
    if (!Array.isArray(sets) || !sets.every(Array.isArray))
      throw errors.wrongArgument('grouping_sets', 'must be a list of lists');
    if (sets.length > MAX_GROUPINGS)
      throw errors.wrongArgument('grouping_sets', `must have at most ${MAX_GROUPINGS} groupings`);
    const query = { domain, aggregates: aggregates ?? [], order };
    const result: Record<string, unknown>[][] = [];
    // Runs sequentially, because a caller has only one database connection.
    let remaining = limits.record.groups;
    for (const groupby of sets) {
      const groups = await readGroups(ctx, model, { ...query, groupby });
      remaining -= groups.length;
      if (remaining < 0) throw errors.tooManyGroups(limits.record.groups);
      result.push(await mapYielding(groups, formatGroup));
    }
    return result;
  },
});

export const recordReadGroup = defineOperation('recordReadGroup', {
  effects: ['reads'],
  deprecated: 'The form of older clients. Use the groups of the model, such as `crmLeadGroups`.',
  address: '*/read_group',
  policy: reads,
  description:
    'Groups records and returns them in the format of older clients. New clients should use ' +
    '`formatted_read_group`.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    domain: arg({ type: 'JSON', required: true }),
    fields: arg.stringList({ description: 'Fields to aggregate, such as `amount:sum`.' }),
    groupby: arg.stringList({
      required: true,
      description: 'Fields to group by, such as `stage_id` or `create_date:month`.',
    }),
    offset: arg.int({ defaultValue: 0 }),
    limit: arg.int(),
    orderby: arg.string({ description: 'Sort order of the groups, such as `stage_id, amount desc`.' }),
    lazy: arg.boolean({
      defaultValue: true,
      description: 'True to group by the first field only. The other fields are returned in `__context`.',
    }),
  }),
  run: (ctx, args) =>
    loadLegacyGroups(ctx, args.model, {
      domain: args.domain,
      fields: args.fields ?? [],
      groupby: args.groupby,
      page: parsePage(args.offset, args.limit, args.orderby),
      lazy: args.lazy ?? true,
    }),
});

function buildExtraDomain({ values }: Group): unknown[] {
  if (values.length === 0) return [[1, '=', 1]];
  return [...Array(values.length - 1).fill('&'), ...values.flatMap((value) => value.domain)];
}

export const formatGroup = (group: Group): Record<string, unknown> => ({
  ...Object.fromEntries(group.values.map(({ spec, value }) => [spec, toDisplayValue(group, spec, value)])),
  __extra_domain: buildExtraDomain(group),
  ...(group.fold && { __fold: group.values[0]!.folded }),
  ...Object.fromEntries(
    Object.entries(group.aggregates).map(([spec, value]) => [spec, toDisplayValue(group, spec, value)]),
  ),
});

const toDisplayValue = ({ fractions }: Group, spec: string, value: unknown): unknown =>
  fractions.has(spec) ? toFraction(value) : value;

interface LegacyGroupQuery {
  domain: unknown;
  fields: string[];
  groupby: string[];
  page: PageOptions;
  lazy: boolean;
}

async function loadLegacyGroups(ctx: Ctx, name: string, query: LegacyGroupQuery): Promise<object[]> {
  const model = getModel(ctx, name);
  const specs = query.groupby.map((spec) => addDefaultPeriod(model.fields.get(spec)?.type, spec));
  const now = query.lazy ? specs.slice(0, 1) : specs;
  const requestedAggregates = parseAggregates(ctx, name, query.fields, now);
  const order = query.page.order?.replace(
    /\b(\w+)(?=\s|,|$)/g,
    (word) => requestedAggregates.get(word) ?? word,
  );
  const aggregates = [...new Set(['__count', ...requestedAggregates.values()])];
  const { domain, page } = query;
  const groups = await readGroups(ctx, name, { ...page, domain, groupby: now, aggregates, order });
  assertRepeatable(domain, groups.length);
  return mapYielding(groups, (group) =>
    formatLegacyGroup(group, query, requestedAggregates, specs.slice(now.length)),
  );
}

const addDefaultPeriod = (type: string | undefined, spec: string): string =>
  type === 'date' || type === 'datetime' ? `${spec}:month` : spec;

/**
 * Parses aggregates such as `amount`, `amount:avg` and `total:sum(amount)`, and returns them by result key. Defaults to
 * all numeric fields.
 */
function parseAggregates(ctx: Ctx, name: string, fields: string[], grouped: string[]): Map<string, string> {
  const model = getModel(ctx, name);
  const names = fields.length
    ? fields
    : [...model.fields.values()]
        .filter((field) => isNumberField(field) && isReturnedByDefault(field))
        .map((field) => field.name);
  const result = new Map<string, string>();
  for (const spec of names) {
    const [, key, operation, inner] = /^(\w+)(?::(\w+)(?:\((\w+)\))?)?$/.exec(spec) ?? [];
    if (!key) throw errors.badValue(`Invalid field specification '${spec.slice(0, 80)}'.`);
    if (key === '__count' || key === 'id' || grouped.some((item) => item.split(':')[0] === key)) continue;
    const field = model.fields.get(inner ?? key);
    if (!field) throw errors.unknownField(inner ?? key, name, 'on');
    const usual = field.aggregator ?? (isNumberField(field) ? 'sum' : undefined);
    const chosen = operation ?? (usual === 'none' ? undefined : usual);
    if (chosen && (field.type !== 'many2one' || operation)) result.set(key, `${field.name}:${chosen}`);
  }
  return result;
}

function formatLegacyGroup(
  group: Group,
  { domain, lazy }: LegacyGroupQuery,
  requestedAggregates: Map<string, string>,
  rest: string[],
): Record<string, unknown> {
  const [first] = group.values;
  const ranges = group.values
    .filter((value) => value.spec.includes(':'))
    .map(({ spec, range }) => [spec, range ?? false]);
  const count = lazy && first ? `${first.spec.split(':')[0]}_count` : '__count';
  return {
    ...Object.fromEntries(
      group.values.map(({ spec, value, range }) => [
        spec,
        range ? (value as unknown[])[1] : toDisplayValue(group, spec, value),
      ]),
    ),
    [count]: group.aggregates.__count,
    ...Object.fromEntries(
      [...requestedAggregates].map(([key, spec]) => [
        key,
        toDisplayValue(group, spec, group.aggregates[spec]),
      ]),
    ),
    __domain: combineDomains(domain, buildExtraDomain(group)),
    ...(lazy && rest.length && { __context: { group_by: rest } }),
    ...(ranges.length && { __range: Object.fromEntries(ranges) }),
    ...(lazy && group.values.some((value) => value.folded) && { __fold: true }),
  };
}

function combineDomains(domain: unknown, extra: unknown[]): unknown[] {
  const terms = Array.isArray(domain) ? domain : [];
  if (terms.length === 0) return extra;
  // Combines the top-level conditions into a single operand.
  const joinedDomain = [...Array(countOperands(terms) - 1).fill('&'), ...terms];
  return ['&', ...joinedDomain, ...extra];
}

function countOperands(domain: unknown[]): number {
  let openCount = 0;
  for (const item of domain.toReversed()) {
    if (item === '&' || item === '|') openCount -= 1;
    else if (item !== '!') openCount += 1;
  }
  return Math.max(1, openCount);
}
