import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { createStatement, getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoaded } from '../../../src/engine/ctx/loader.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { buildFilteredListSql, buildListPageSql } from '../../../src/engine/read/list-page.ts';
import { buildSourceSql } from '../../../src/engine/sql/columns.ts';
import { readJsonRow } from '../../../src/engine/sql/json-row.ts';
import { addSource } from '../../../src/engine/sql/statement.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { type Connection, cutPageOfRows, selectsRows, wantsCursors, withArchived } from './connection.ts';
import { buildPageRequest, type ListArguments, type PageRequest } from './page.ts';
import type { GraphRow } from './rows.ts';
import {
  buildRowSelectList,
  CONNECTION_PATHS,
  getSelection,
  getSelectionSetsByName,
  isVisible,
  type RecordSelection,
} from './selection.ts';
import { hasTextSearch, resolveTextSearches } from './text-searches.ts';

interface NestedListRequest {
  owner: Model;
  field: Field;
  selection: RecordSelection;
  request: PageRequest;
  wantsRows: boolean;
  wantsTotal: boolean;
  wantsCursors: boolean;
}

interface ListRow {
  id: number;
  rows: GraphRow[];
  total: number;
}

/**
 * Resolves a list of related records for all parents with one statement. The resolver is async, because graphql-js
 * abandons the promises of the previous parents if it throws, so that their rejections would be unhandled.
 */
export function createListReader(owner: Model, field: Field) {
  return async (row: GraphRow, args: ListArguments, ctx: Ctx, info: GraphQLResolveInfo) => {
    if (!isVisible(ctx, owner, field)) return null;
    if (!hasTextSearch(args.where)) return resolveList(row, args, ctx, info);
    const where = await resolveTextSearches(ctx, getModel(ctx, field.relation!), args.where);
    return resolveList(row, { ...args, where }, ctx, info);
  };

  function resolveList(row: GraphRow, args: ListArguments, ctx: Ctx, info: GraphQLResolveInfo) {
    const { registry } = ctx.catalog;
    const target = getModel(ctx, field.relation!);
    const names = getSelectionSetsByName(info);
    const lists: NestedListRequest = {
      owner: registry.get(owner.name)!,
      field,
      selection: getSelection(info, registry, target, CONNECTION_PATHS),
      request: buildPageRequest(ctx, target, args),
      wantsRows: selectsRows(names),
      wantsTotal: names.has('totalCount'),
      wantsCursors: wantsCursors(info),
    };
    return getListLoader(ctx, lists, args)
      .load(row.id)
      .then((list) => enforceRowLimit(ctx, list));
  }
}

function getListLoader(
  ctx: Ctx,
  lists: NestedListRequest,
  args: ListArguments,
): DataLoader<number, Connection> {
  const { owner, field, selection, wantsRows, wantsTotal, wantsCursors } = lists;
  const wants = [wantsRows, wantsTotal, wantsCursors].map(Number).join('');
  const key = `${owner.name}.${field.name} ${JSON.stringify(args)} ${wants} ${selection.key}`;
  return getLoaded(
    ctx,
    key,
    () => new DataLoader((ids: readonly number[]) => loadPages(ctx, lists, ids), { maxBatchSize: 5_000 }),
  );
}

async function loadPages(ctx: Ctx, lists: NestedListRequest, ids: readonly number[]): Promise<Connection[]> {
  const { request, selection } = lists;
  assertModelAccess(ctx, selection.model, 'read');
  const pages = await readJsonRow(ctx.db, buildPagesSql(withArchived(ctx, request.archived), lists, ids));
  const rows = new Map((JSON.parse(pages!.json) as ListRow[]).map((row) => [row.id, row]));
  return ids.map((id) => {
    const { rows: pageRows, total } = rows.get(id) ?? { rows: [], total: 0 };
    return { ...cutPageOfRows(request, pageRows), total: () => total };
  });
}

/** Selects each parent's rows and row count as one JSON value. */
function buildPagesSql(ctx: Ctx, lists: NestedListRequest, ids: readonly number[]): Sql {
  const { owner, field, selection, request, wantsRows, wantsTotal } = lists;
  const statement = createStatement(ctx, { flavour: 'graph', archived: !ctx.context.activeTest });
  const parent = addSource(statement, owner);
  const list = { field, domain: request.domain };
  const fields = buildRowSelectList(ctx, selection);
  const rows = wantsRows
    ? sql`(select coalesce(json_agg(s), '[]'::json) from (${buildListPageSql(ctx, statement, parent, list, {
        fields,
        page: request.page,
        places: lists.wantsCursors,
      })}) s)`
    : sql`'[]'::json`;
  const total = wantsTotal
    ? sql`(select count(*)::int from ${buildFilteredListSql(ctx, statement, parent, list)})`
    : sql`0`;
  return sql`select coalesce(json_agg(p), '[]')::text as json from (select ${parent.row}.id, ${rows} as rows,
    ${total} as total from ${buildSourceSql(statement, parent)} and ${parent.row}.id = any(${ids}::int8[])) p`;
}

/**
 * Number of records in a request's nested lists. Validating the document cannot limit it, because the lists grow with
 * the data. A list that is loaded once but returned for several records counts each time.
 */
const recordCounts = new WeakMap<Ctx, number>();

function enforceRowLimit(ctx: Ctx, list: Connection): Connection {
  const all = (recordCounts.get(ctx) ?? 0) + list.rows.length;
  recordCounts.set(ctx, all);
  if (all > limits.graphql.rows)
    throw errors.badRequest(
      `The lists in a request may contain at most ${limits.graphql.rows} records in total.`,
    );
  return list;
}
