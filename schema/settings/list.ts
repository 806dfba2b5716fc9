import { queryFromInfo } from '@pothos/plugin-prisma';
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { getLoaded } from '../../src/engine/ctx/loader.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { cutPageOfRows, selectsRows } from '../graph/read/connection.ts';
import { decodeRowCursor, encodeRowCursor } from '../graph/read/cursor.ts';
import { type PageArguments, parsePageArguments } from '../graph/read/page.ts';
import { CONNECTION_PATHS, getSelectionSetsByName } from '../graph/read/selection.ts';
import {
  buildBeyondWhere,
  buildSortColumns,
  computeColumnOrderKey,
  reverseColumns,
  type SettingsOrder,
  type SortColumn,
  toPosition,
  toPrismaOrder,
} from './order.ts';
import { buildFieldPath } from './read-resource.ts';
import { runInSequence } from './request-sequence.ts';
import type { ResourceSource, SettingsResource } from './resources.ts';
import { getDelegate, restrictToVisible, type SettingsRow } from './visible-where.ts';
import { buildPrismaWhere, type PrismaWhere } from './where.ts';

export interface ResourceListArguments extends PageArguments {
  where?: unknown;
  orderBy?: SettingsOrder[] | null;
}

/** A page in the format of the connection types. */
export interface ResourcePage {
  edges: { node: SettingsRow; readonly cursor: string }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  total(): Promise<number> | number;
}

/** `relation` is the name of a relation of `owner` in the Prisma schema. */
export interface RelatedList {
  owner: ResourceSource;
  relation: string;
}

/** @throws BAD_REQUEST for an invalid page */
export async function readList(
  ctx: Ctx,
  resource: SettingsResource,
  args: ResourceListArguments,
  info: GraphQLResolveInfo,
): Promise<ResourcePage> {
  const request = await buildListRequest(ctx, resource, args, info);
  const delegate = getDelegate(ctx, resource);
  const rows = request.query ? await runInSequence(ctx, () => delegate.findMany(request.query!)) : [];
  const total = () => runInSequence(ctx, () => delegate.count({ where: request.where }));
  return buildPage(ctx, request, rows, total);
}

/** Returns a loader that reads a page per owner in one query. The key determines the type of the cached loader. */
export function getRelatedLoader(
  ctx: Ctx,
  list: RelatedList,
  resource: SettingsResource,
  args: ResourceListArguments,
  info: GraphQLResolveInfo,
): DataLoader<number, ResourcePage> {
  const key = `list ${resource.model} ${info.parentType.name}${buildFieldPath(info.path)}`;
  return getLoaded(ctx, key, () => {
    const request = buildListRequest(ctx, resource, args, info);
    return new DataLoader(async (ids) => loadRelated(ctx, list, await request, ids), {
      maxBatchSize: limits.graphql.page,
    });
  });
}

async function loadRelated(
  ctx: Ctx,
  { owner, relation }: RelatedList,
  request: ListRequest,
  ids: readonly number[],
): Promise<ResourcePage[]> {
  const owners = await runInSequence(ctx, () =>
    getDelegate(ctx, owner).findMany({
      where: { workspace_id: ctx.workspace.id, id: { in: [...ids] } },
      select: {
        id: true,
        ...(request.query && { [relation]: request.query }),
        ...(request.wantsTotal && { _count: { select: { [relation]: { where: request.where } } } }),
      },
    }),
  );
  const byId = new Map(owners.map((row) => [Number(row.id), row]));
  return ids.map((id) => {
    const row = byId.get(id);
    const counts = row?._count as Record<string, number> | undefined;
    return buildPage(ctx, request, (row?.[relation] ?? []) as SettingsRow[], () => counts?.[relation] ?? 0);
  });
}

interface ListRequest {
  model: Model;
  columns: SortColumn[];
  /** Conditions for the whole list, regardless of the page. */
  where: PrismaWhere;
  /** Query for the page's rows and one more row. Null if no rows are requested. */
  query: object | null;
  wantsTotal: boolean;
  size: number;
  backward: boolean;
  hasBehind: boolean;
}

async function buildListRequest(
  ctx: Ctx,
  resource: SettingsResource,
  args: ResourceListArguments,
  info: GraphQLResolveInfo,
): Promise<ListRequest> {
  const model = getModel(ctx, resource.model);
  const { size, backward } = parsePageArguments(args);
  const columns = buildSortColumns(model, args.orderBy);
  const direction = backward ? reverseColumns(columns) : columns;
  const cursorWhere = buildCursorWhere(ctx, model, { columns, direction }, args);
  const names = getSelectionSetsByName(info);
  const where = await restrictToVisible(ctx, resource, await buildPrismaWhere(ctx, model, args.where));
  const offset = args.offset ?? 0;
  const query = selectsRows(names) && {
    ...(await buildFieldQuery(ctx, info, columns)),
    where: cursorWhere ? { ...where, AND: [...(where.AND as PrismaWhere[]), cursorWhere] } : where,
    orderBy: toPrismaOrder(direction),
    take: size + 1,
    skip: offset,
  };
  return {
    model,
    columns,
    where,
    query: query || null,
    wantsTotal: names.has('totalCount'),
    size,
    backward,
    hasBehind: cursorWhere !== null || offset > 0,
  };
}

/**
 * Builds the condition for the rows beyond the cursor in the page's direction. Null if there is no cursor.
 * @throws BAD_REQUEST
 */
function buildCursorWhere(
  ctx: Ctx,
  model: Model,
  { columns, direction }: { columns: SortColumn[]; direction: SortColumn[] },
  { after, before }: PageArguments,
): PrismaWhere | null {
  const cursor = after ?? before ?? null;
  if (cursor === null) return null;
  const argument = after === cursor ? 'after' : 'before';
  const position = decodeRowCursor(ctx, cursor, argument);
  if (position.order !== computeColumnOrderKey(model, columns)) throw errors.foreignCursor(argument);
  return buildBeyondWhere(direction, position);
}

/** Selects the requested fields and the columns that cursors contain. */
async function buildFieldQuery(ctx: Ctx, info: GraphQLResolveInfo, columns: SortColumn[]): Promise<object> {
  const paths = CONNECTION_PATHS.map((path) => [...path]);
  const query = await queryFromInfo({ context: ctx, info, paths, awaitSelections: true });
  if (!query.select) return query;
  const sortFields = Object.fromEntries(columns.map(({ field }) => [field.name, true]));
  return { ...query, select: { ...query.select, ...sortFields } };
}

function buildPage(
  ctx: Ctx,
  request: ListRequest,
  foundRows: SettingsRow[],
  total: ResourcePage['total'],
): ResourcePage {
  const { model, columns } = request;
  const { rows, hasNextPage, hasPreviousPage } = cutPageOfRows(request, foundRows);
  const edges = rows.map((node) => ({
    node,
    get cursor() {
      return encodeRowCursor(ctx, toPosition(model, columns, node));
    },
  }));
  const pageInfo = {
    hasNextPage,
    hasPreviousPage,
    get startCursor() {
      return edges[0]?.cursor ?? null;
    },
    get endCursor() {
      return edges.at(-1)?.cursor ?? null;
    },
  };
  return { edges, pageInfo, total };
}
