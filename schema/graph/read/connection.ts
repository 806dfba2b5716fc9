import type { GraphQLResolveInfo } from 'graphql';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { POSITION_KEY } from '../../../src/engine/read/query.ts';
import { searchCount, searchRead } from '../../../src/engine/read/records.ts';
import { encodeRowCursor } from './cursor.ts';
import { buildPageRequest, type ListArguments, type PageRequest } from './page.ts';
import type { GraphRow } from './rows.ts';
import {
  buildRowSelectList,
  CONNECTION_PATHS,
  collectSelections,
  getSelection,
  getSelectionSetsByName,
  getSetsAt,
  type SelectionSetsByName,
} from './selection.ts';
import { resolveTextSearches } from './text-searches.ts';

export interface Connection {
  rows: GraphRow[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  total(): Promise<number> | number;
}

/** @throws BAD_REQUEST for an invalid page */
export async function readMany(
  ctx: Ctx,
  name: string,
  args: ListArguments,
  info: GraphQLResolveInfo,
): Promise<Connection> {
  const model = getModel(ctx, name);
  const where = await resolveTextSearches(ctx, model, args.where);
  const request = buildPageRequest(ctx, model, { ...args, where });
  const all = withArchived(ctx, request.archived);
  const total = () => searchCount(all, name, request.domain);
  // No rows are read if only the count is selected.
  if (!selectsRows(getSelectionSetsByName(info)))
    return { rows: [], hasNextPage: false, hasPreviousPage: false, total };
  const fields = buildRowSelectList(ctx, getSelection(info, ctx.catalog.registry, model, CONNECTION_PATHS));
  const places = wantsCursors(info);
  const { domain, page } = request;
  const rows = await searchRead(all, { model: name, domain, fields, page, places, flavour: 'graph' });
  return { ...cutPageOfRows(request, rows.value<GraphRow[]>()), total };
}

export const wantsCursors = ({ fieldNodes, fragments }: GraphQLResolveInfo): boolean => {
  const sets = fieldNodes.flatMap((node) => node.selectionSet ?? []);
  const names = (path: string) => collectSelections(getSetsAt(sets, [path], fragments), fragments);
  const info = names('pageInfo');
  return names('edges').has('cursor') || info.has('startCursor') || info.has('endCursor');
};

const ROW_FIELDS = ['nodes', 'edges', 'pageInfo'];

/** @param names names selected in the connection */
export const selectsRows = (names: SelectionSetsByName): boolean =>
  ROW_FIELDS.some((name) => names.has(name));

export const withArchived = (ctx: Ctx, isArchived: boolean): Ctx =>
  isArchived && ctx.context.activeTest ? ctx.with({ context: { ...ctx.context, activeTest: false } }) : ctx;

/** Removes the extra row, which was read to detect another page. */
export function cutPageOfRows<Row>(
  { size, backward, hasBehind }: Pick<PageRequest, 'size' | 'backward' | 'hasBehind'>,
  foundRows: Row[],
): Omit<Connection, 'rows' | 'total'> & { rows: Row[] } {
  const isMore = foundRows.length > size;
  const rows = isMore ? foundRows.slice(0, size) : foundRows;
  return backward
    ? { rows: rows.reverse(), hasNextPage: hasBehind, hasPreviousPage: isMore }
    : { rows, hasNextPage: isMore, hasPreviousPage: hasBehind };
}

export const buildEdges = ({ rows }: Connection, _args: unknown, ctx: Ctx) =>
  rows.map((node) => ({ node, cursor: () => getRowCursor(ctx, node) }));

export const buildPageInfo = (
  { rows, hasNextPage, hasPreviousPage }: Connection,
  _args: unknown,
  ctx: Ctx,
) => ({
  hasNextPage,
  hasPreviousPage,
  startCursor: () => getRowCursor(ctx, rows[0]),
  endCursor: () => getRowCursor(ctx, rows.at(-1)),
});

const getRowCursor = (ctx: Ctx, row: GraphRow | undefined): string | null =>
  row ? encodeRowCursor(ctx, row[POSITION_KEY] as (string | null)[]) : null;
