import type { GraphQLResolveInfo } from 'graphql';
import { getModel } from '../../../src/engine/access/reader.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { POSITION_KEY } from '../../../src/engine/read/query.ts';
import { searchCount, searchRead } from '../../../src/engine/read/records.ts';
import { cursorOf } from './cursor.ts';
import { withFound } from './matches.ts';
import { type ListArguments, type PageRequest, pageRequest } from './page.ts';
import type { GraphRow } from './rows.ts';
import {
  IN_CONNECTION,
  type NamedSets,
  rowSelectList,
  selected,
  selectedNames,
  setsAt,
  wantedOf,
} from './selection.ts';

/** A page of records, as the fields of a connection look at it. */
export interface Connection {
  rows: GraphRow[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  total(): Promise<number> | number;
}

/** A page of the records that match. @throws BAD_REQUEST for a page that is none */
export async function readMany(
  ctx: Ctx,
  name: string,
  args: ListArguments,
  info: GraphQLResolveInfo,
): Promise<Connection> {
  const model = getModel(ctx, name);
  const where = await withFound(ctx, model, args.where);
  const request = pageRequest(ctx, model, { ...args, where });
  const all = withArchived(ctx, request.archived);
  const total = () => searchCount(all, name, request.domain);
  // A caller that asks for the number alone gets no rows.
  if (!wantsRows(selectedNames(info))) return { rows: [], hasNextPage: false, hasPreviousPage: false, total };
  const fields = rowSelectList(ctx, selected(info, ctx.catalog.registry, model, IN_CONNECTION));
  const places = wantsCursors(info);
  const { domain, page } = request;
  const found = await searchRead(all, { model: name, domain, fields, page, places, flavour: 'graph' });
  return { ...pageOfRows(request, found.value<GraphRow[]>()), total };
}

/** Whether a cursor is selected of the connection being resolved. */
export const wantsCursors = ({ fieldNodes, fragments }: GraphQLResolveInfo): boolean => {
  const sets = fieldNodes.flatMap((node) => node.selectionSet ?? []);
  const names = (path: string) => wantedOf(setsAt(sets, [path], fragments), fragments);
  const info = names('pageInfo');
  return names('edges').has('cursor') || info.has('startCursor') || info.has('endCursor');
};

const ROWS = ['nodes', 'edges', 'pageInfo'];

/** @param names what is selected of the connection */
export const wantsRows = (names: NamedSets): boolean => ROWS.some((name) => names.has(name));

export const withArchived = (ctx: Ctx, archived: boolean): Ctx =>
  archived && ctx.context.activeTest ? ctx.with({ context: { ...ctx.context, activeTest: false } }) : ctx;

/** Cuts the row that is one too many. */
export function pageOfRows(
  { size, backward, hasBehind }: PageRequest,
  found: GraphRow[],
): Omit<Connection, 'total'> {
  const isMore = found.length > size;
  const rows = isMore ? found.slice(0, size) : found;
  return backward
    ? { rows: rows.reverse(), hasNextPage: hasBehind, hasPreviousPage: isMore }
    : { rows, hasNextPage: isMore, hasPreviousPage: hasBehind };
}

/** What the fields of a connection give. */
export const edgesOf = ({ rows }: Connection, _args: unknown, ctx: Ctx) =>
  rows.map((node) => ({ node, cursor: () => rowCursor(ctx, node) }));

export const pageInfoOf = ({ rows, hasNextPage, hasPreviousPage }: Connection, _args: unknown, ctx: Ctx) => ({
  hasNextPage,
  hasPreviousPage,
  startCursor: () => rowCursor(ctx, rows[0]),
  endCursor: () => rowCursor(ctx, rows.at(-1)),
});

const rowCursor = (ctx: Ctx, row: GraphRow | undefined): string | null =>
  row ? cursorOf(ctx, row[POSITION_KEY] as (string | null)[]) : null;
