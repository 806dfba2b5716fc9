import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { type Group, readGroups } from '../../src/engine/read/group.ts';
import { parsePage } from '../../src/engine/read/query.ts';
import { webSearchRead } from '../../src/engine/read/web-read.ts';
import { errors } from '../../src/errors.ts';
import { isObject } from '../../src/json.ts';
import { yieldToOthers } from '../../src/loop/yield.ts';
import { formatGroup } from './group.ts';

// Groups with their records, for web clients. Argument names and positions follow classic RPC (Odoo 19).

/** Maximum number of groups per call whose records or subgroups are returned. */
export const MAX_OPEN_GROUPS = 100;

const reads: Policy = { auth: ['USER'], scope: 'read' };

export const recordWebReadGroup = defineOperation('recordWebReadGroup', {
  effects: ['reads'],
  address: '*/web_read_group',
  policy: reads,
  description:
    'Groups the records that match a domain by the first of the given fields, and counts the groups. Open ' +
    'groups contain `__groups`, grouped by the next field, or `__records`.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    domain: arg({ type: 'JSON', required: true }),
    groupby: arg.stringList({
      required: true,
      description: 'Fields to group by, such as `stage_id` or `create_date:month`.',
    }),
    aggregates: arg.stringList({ description: 'Aggregates to compute, such as `amount:sum`.' }),
    limit: arg.int(),
    offset: arg.int({ defaultValue: 0 }),
    order: arg.string(),
    autoUnfold: arg.boolean({
      defaultValue: false,
      description: 'True to open the first groups that are not folded.',
    }),
    openingInfo: arg({
      type: 'JSON',
      description: 'Groups to open, as objects with `value`, `folded`, `offset`, `limit` and `groups`.',
    }),
    unfoldReadSpecification: arg({
      type: 'JSON',
      description: 'Specification of the fields to read from the records of open groups.',
    }),
    unfoldReadDefaultLimit: arg.int({
      defaultValue: 80,
      description: 'Maximum number of records to read from an open group.',
    }),
    groupbyReadSpecification: arg({
      type: 'JSON',
      description:
        'Fields to return for the record that a group represents, as one specification per grouping field. The ' +
        'record is returned as `__values`.',
    }),
  }),
  run: (ctx, args) => {
    if (args.groupby.length === 0) throw errors.wrongArgument('groupby', 'at least one field is required');
    const budget = { remaining: MAX_OPEN_GROUPS };
    return loadGroupLevel(ctx, {
      ...args,
      domain: args.domain || [],
      aggregates: [...new Set([...(args.aggregates ?? []), '__count'])],
      page: { offset: args.offset, limit: args.limit, order: args.order },
      opening: args.openingInfo,
      budget,
    });
  },
});

interface GroupLevelQuery {
  model: string;
  domain: unknown;
  groupby: string[];
  aggregates: string[];
  page: { offset?: number | null; limit?: number | null; order?: string | null };
  autoUnfold?: boolean | null;
  opening: unknown;
  unfoldReadSpecification?: unknown;
  unfoldReadDefaultLimit?: number | null;
  groupbyReadSpecification?: unknown;
  budget: { remaining: number };
}

type GroupRow = Record<string, unknown>;

interface GroupLevel {
  groups: GroupRow[];
  length: number;
}

async function loadGroupLevel(ctx: Ctx, levelQuery: GroupLevelQuery): Promise<GroupLevel> {
  const { model, domain, groupby, aggregates, page } = levelQuery;
  const query = { domain, groupby: groupby.slice(0, 1), aggregates };
  const { limit, ...more } = parsePage(page.offset, page.limit, page.order);
  const groupPage = await readGroups(ctx, model, { ...query, limit, ...more });
  const isAll = !page.offset && (!limit || groupPage.length < limit);
  // If the page contains all groups, counting them needs no second query.
  const length = isAll
    ? groupPage.length
    : (await readGroups(ctx, model, { ...query, aggregates: [] })).length;
  const groups: GroupRow[] = [];
  for (const [index, group] of groupPage.entries()) {
    const pause = yieldToOthers();
    if (pause) await pause;
    groups.push(await openGroup(ctx, levelQuery, group, index));
  }
  return { groups, length };
}

interface GroupOpening {
  folded?: unknown;
  offset?: number;
  limit?: number;
  groups?: unknown;
}

/** Maximum number of groups that a web client opens automatically (Odoo 19). */
const MAX_AUTO_OPENED_GROUPS = 10;

async function openGroup(ctx: Ctx, query: GroupLevelQuery, group: Group, index: number): Promise<GroupRow> {
  const row = { ...formatGroup(group), ...(await loadGroupValues(ctx, query, group)) };
  const opening = findOpening(query, group, index);
  if (!opening) return row;
  if (query.budget.remaining-- <= 0)
    throw errors.badValue(`the request has more than ${MAX_OPEN_GROUPS} groups to open: open fewer groups`);
  const { model, groupby, unfoldReadSpecification: specification } = query;
  const domain = ['&', ...toOperand(query.domain), ...toOperand(row.__extra_domain)];
  if (groupby.length > 1) {
    const page = { offset: opening.offset ?? 0, limit: opening.limit ?? null, order: query.page.order };
    const inner = { ...query, domain, groupby: groupby.slice(1), opening: opening.groups, page };
    return { ...row, __groups: await loadGroupLevel(ctx, inner) };
  }
  if (!specification) return row;
  const limit = opening.limit ?? query.unfoldReadDefaultLimit;
  const page = parsePage(opening.offset, limit, null);
  const records = await webSearchRead(ctx, { model, domain, specification, page, countLimit: 1 });
  return { ...row, __records: records.value<{ records: GroupRow[] }>().records };
}

/** Joins a domain into a single operand. An empty domain matches all records. */
function toOperand(domain: unknown): unknown[] {
  if (!Array.isArray(domain) || domain.length === 0) return [[1, '=', 1]];
  const operators = domain.filter((item) => item === '&' || item === '|').length;
  const operands = domain.filter(Array.isArray).length;
  return [...Array(operands - operators - 1).fill('&'), ...domain];
}

function findOpening(
  { opening, autoUnfold }: GroupLevelQuery,
  group: Group,
  index: number,
): GroupOpening | null {
  const [{ value, folded }] = group.values as [Group['values'][number]];
  if (!Array.isArray(opening)) return autoUnfold && index < MAX_AUTO_OPENED_GROUPS && !folded ? {} : null;
  const key = Array.isArray(value) ? value[0] : value;
  const match = opening.find((item) => isObject(item) && (item.value === key || item.value === value));
  return match && !match.folded ? (match as GroupOpening) : null;
}

async function loadGroupValues(ctx: Ctx, query: GroupLevelQuery, group: Group): Promise<GroupRow> {
  const [{ spec, value }] = group.values as [Group['values'][number]];
  const specifications = query.groupbyReadSpecification;
  const specification = isObject(specifications) ? specifications[spec] : null;
  const field = ctx.catalog.registry.get(query.model)!.fields.get(spec);
  if (!specification || !field?.relation) return {};
  if (!Array.isArray(value)) return { __values: { id: false } };
  const domain = [['id', '=', value[0]]];
  const page = parsePage(0, 1, null);
  const all = ctx.with({ context: { ...ctx.context, activeTest: false } });
  const records = await webSearchRead(all, {
    model: field.relation,
    domain,
    specification,
    page,
    countLimit: 1,
  });
  return { __values: records.value<{ records: GroupRow[] }>().records[0] ?? { id: value[0] } };
}
