import type { GraphQLResolveInfo } from 'graphql';
import { modelOf } from '../../../src/engine/access/reader.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { searchCount, searchRead } from '../../../src/engine/read/records.ts';
import { withFound } from './matches.ts';
import { cursorOf, type ListArguments, type PageRequest, pageRequest } from './page.ts';
import type { GraphRow } from './rows.ts';
import { IN_CONNECTION, type NamedSets, rowSelectList, selected, selectedNames } from './selection.ts';

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
  const { registry } = ctx.catalog;
  const model = modelOf(ctx, name);
  const where = await withFound(ctx, model, args.where);
  const request = pageRequest(registry, model, { ...args, where });
  const all = withArchived(ctx, request.archived);
  const total = () => searchCount(all, name, request.domain);
  // A caller that asks for the number alone gets no rows.
  if (!wantsRows(selectedNames(info))) return { rows: [], hasNextPage: false, hasPreviousPage: false, total };
  const fields = rowSelectList(ctx, selected(info, registry, model, IN_CONNECTION));
  const { domain, page } = request;
  const found = await searchRead(all, { model: name, domain, fields, page, flavour: 'graph' });
  return { ...pageOfRows(request, found.value<GraphRow[]>()), total };
}

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
export const edgesOf = ({ rows }: Connection) => rows.map((node) => ({ node, cursor: cursorOf(node.id) }));

export function pageInfoOf({ rows, hasNextPage, hasPreviousPage }: Connection) {
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    hasNextPage,
    hasPreviousPage,
    startCursor: first ? cursorOf(first.id) : null,
    endCursor: last ? cursorOf(last.id) : null,
  };
}
