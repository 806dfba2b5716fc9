import type { GraphQLResolveInfo } from 'graphql';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { toSnakeCase } from '../../../src/engine/model/datamodel.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { getRowKey, toCamelCase } from '../../../src/engine/model/naming.ts';
import { type Group, type GroupValue, readGroups } from '../../../src/engine/read/group.ts';
import { assertRepeatable } from '../../../src/engine/read/group-domain.ts';
import { errors } from '../../../src/errors.ts';
import { buildAggregateFields, MAX_LISTED_GROUPS } from '../plan/groups.ts';
import { type Connection, readMany, withArchived } from '../read/connection.ts';
import { buildPageRequest, combineConditions, type ListArguments } from '../read/page.ts';
import { collectSelections, getSelectionSetsByName } from '../read/selection.ts';
import { resolveTextSearches } from '../read/text-searches.ts';
import {
  buildAggregateSpec,
  buildGroupOrder,
  buildGroupSpec,
  buildHaving,
  type GroupOrderTerm,
  type HavingTerm,
} from './terms.ts';

interface GroupArguments extends Pick<ListArguments, 'where' | 'domain' | 'withArchived'> {
  groupBy: { field: string; by?: string | null }[];
  having?: HavingTerm[] | null;
  orderBy?: GroupOrderTerm[] | null;
  first?: number | null;
  offset?: number | null;
}

export interface RecordGroup {
  key: GroupKey;
  count: number;
  domain: unknown[];
  archived: boolean;
  [name: string]: unknown;
}

interface GroupKey {
  dates: Map<string, GroupPeriod>;
  [name: string]: unknown;
}

interface GroupPeriod {
  from: string | null;
  to: string | null;
  label: string;
  number: number | null;
}

/** @throws the errors of readGroups, BAD_REQUEST for an invalid page */
export async function readRecordGroups(
  ctx: Ctx,
  name: string,
  args: GroupArguments,
  info: GraphQLResolveInfo,
): Promise<RecordGroup[]> {
  const model = getModel(ctx, name);
  const { domain, withArchived: isArchived } = args;
  const where = await resolveTextSearches(ctx, model, args.where);
  const request = buildPageRequest(ctx, model, {
    where,
    domain,
    withArchived: isArchived,
    ...toPage(args),
  });
  const selectedAggregates = getSelectedAggregates(model, info);
  const terms = [
    ...selectedAggregates.flatMap(({ terms }) => terms),
    ...(args.orderBy ?? []),
    ...(args.having ?? []),
  ];
  const groups = await readGroups(withArchived(ctx, request.archived), name, {
    domain: request.domain,
    groupby: args.groupBy.map((item) => buildGroupSpec(model, item)),
    aggregates: [...new Set(['__count', ...terms.flatMap((term) => buildAggregateSpec(term) ?? [])])],
    having: buildHaving(args.having),
    order: buildGroupOrder(args.orderBy),
    offset: args.offset ?? 0,
    limit: request.size,
  });
  assertRepeatable(request.domain, groups.length);
  return request.size === 0
    ? []
    : groups.map((group) =>
        toRecordGroup(model, group, {
          aggregates: selectedAggregates,
          domain: request.domain,
          archived: request.archived,
        }),
      );
}

const toPage = ({ first, offset }: GroupArguments) => ({ first, offset });

interface SelectedAggregates {
  name: string;
  field: Field;
  terms: { field: string; aggregate: string }[];
}

function getSelectedAggregates(model: Model, info: GraphQLResolveInfo): SelectedAggregates[] {
  const setsByName = getSelectionSetsByName(info);
  return buildAggregateFields(model).flatMap(({ name, field }) => {
    const sets = setsByName.get(name);
    if (!sets) return [];
    const names = [...collectSelections(sets, info.fragments).keys()].filter((key) => key !== '__typename');
    return {
      name,
      field: field!,
      terms: names.map((name) => ({ field: field!.name, aggregate: toSnakeCase(name) })),
    };
  });
}

interface GroupRequest {
  aggregates: SelectedAggregates[];
  domain: unknown[];
  archived: boolean;
}

function toRecordGroup(
  model: Model,
  { values, aggregates }: Group,
  { aggregates: selectedAggregates, domain, archived }: GroupRequest,
): RecordGroup {
  const key: GroupKey = { dates: new Map() };
  for (const value of values) addToKey(key, model, value);
  const group: RecordGroup = {
    key,
    count: aggregates.__count as number,
    domain: [...domain, ...values.flatMap((value) => value.domain)],
    archived,
  };
  for (const { name, field, terms } of selectedAggregates)
    group[name] = Object.fromEntries(
      terms.map((term) => [
        toCamelCase(term.aggregate),
        toAggregateValue(field, aggregates[buildAggregateSpec(term)!]),
      ]),
    );
  return group;
}

/** Adds a value in the record graph's format: null if unset, or the id of a related record. */
function addToKey(key: GroupKey, model: Model, { spec, value, range }: GroupValue): void {
  const [name, granularity] = spec.split(':') as [string, string?];
  const field = model.fields.get(name)!;
  if (!granularity) {
    const isFalse = value === false && field.type !== 'boolean';
    const isUnset = isFalse || (field.type === 'many2one_reference' && value === 0);
    key[getRowKey(field)] = isUnset ? null : field.relation ? (value as [number, string])[0] : value;
    return;
  }
  if (value === false) return;
  const period = range
    ? {
        from: toGraphTime(field, range.from),
        to: toGraphTime(field, range.to),
        label: (value as [string, string])[1],
        number: null,
      }
    : { from: null, to: null, label: String(value), number: Number(value) };
  if (!key.dates.has(name)) key.dates.set(name, period);
  key.dates.set(spec, period);
}

const toGraphTime = (field: Field, text: string): string =>
  field.type === 'datetime'
    ? `${text.replace(' ', 'T').padEnd(19, 'T00:00:00'.slice(text.length - 19))}.000Z`
    : text;

function toAggregateValue(field: Field, value: unknown): unknown {
  if (value === false || value === null || value === undefined) return null;
  return typeof value === 'string' ? toGraphTime(field, value) : value;
}

/** Creates a resolver for a group's period. It returns null if the date is unset, or is not used for grouping. */
export const createPeriodResolver =
  (field: Field) =>
  ({ dates }: GroupKey, { by }: { by?: string | null }): GroupPeriod | null =>
    dates.get(by ? `${field.name}:${by}` : field.name) ?? null;

/** Number of groups per request whose records have been loaded. Each group requires a statement. */
const listed = new WeakMap<Ctx, number>();

/**
 * Reads a group's records. It is async, because graphql-js abandons the promises of the previous groups if a resolver
 * throws, so that their rejections would be unhandled.
 * @throws BAD_REQUEST as in readMany, and if the records of too many groups are requested
 */
export async function loadGroupRecords(
  ctx: Ctx,
  name: string,
  { domain, archived }: RecordGroup,
  args: ListArguments,
  info: GraphQLResolveInfo,
): Promise<Connection> {
  const count = (listed.get(ctx) ?? 0) + 1;
  listed.set(ctx, count);
  if (count > MAX_LISTED_GROUPS)
    throw errors.badRequest(
      `The records of at most ${MAX_LISTED_GROUPS} groups can be listed at a time. Request fewer groups.`,
    );
  return readMany(
    ctx,
    name,
    { ...args, domain: combineConditions(domain, args.domain), withArchived: archived || args.withArchived },
    info,
  );
}
