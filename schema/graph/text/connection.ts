import { type Sql, sql } from '../../../src/db/sql.ts';
import type { ModelRows } from '../../../src/engine/sql/statement.ts';
import type { PageRequest } from '../read/page.ts';
import {
  type ConnectionPart,
  type EdgeItem,
  hasRows,
  type ListSelection,
  type SelectionItem,
} from './tree.ts';

interface PageSource {
  /** Builds the rows' select list. @param joins collects joins to append to their `from` */
  select(source: ModelRows, items: SelectionItem[], joins: Sql[]): Sql;
  /** Builds a source of matching rows up to a limit, such as `"table" t1 where … limit …`, and each row's position. */
  page(limit: number): { source: ModelRows; from: Sql; place(): Sql };
  total(): Sql;
}

const NO_ROWS = sql`'[]'::json`;

/** Builds a `select …` that returns one row with the connection's fields as columns. */
export function buildConnectionSql(list: ListSelection, request: PageRequest, pages: PageSource): Sql {
  const page = hasRows(list) ? buildPage(list.parts, request, pages) : EMPTY_PAGE;
  const parts = list.parts.map(
    (part, index) => sql`${buildPartSql(part, page.jsons[index]!, request, pages)} as ${sql.id(part.key)}`,
  );
  return sql`select ${sql.join(parts)}${page.from}`;
}

function buildPartSql(part: ConnectionPart, json: Sql, request: PageRequest, pages: PageSource): Sql {
  switch (part.kind) {
    case 'typename':
      return sql.literal(part.type);
    case 'totalCount':
      return pages.total();
    case 'pageInfo': {
      const info = part.info.map(
        ({ key, name }) => sql`${buildPageInfoSql(name, request)} as ${sql.id(key)}`,
      );
      return sql`(select row_to_json(x) from (select ${sql.join(info)}) x)`;
    }
    default:
      return json;
  }
}

function buildPageInfoSql(name: string, { size, backward, hasBehind }: PageRequest): Sql {
  switch (name) {
    case 'hasNextPage':
      return backward ? toSqlBoolean(hasBehind) : sql`a.n > ${sql.literal(size)}`;
    case 'hasPreviousPage':
      return backward ? sql`a.n > ${sql.literal(size)}` : toSqlBoolean(hasBehind);
    case 'startCursor':
      return size === 0 ? sql`null` : sql`a.places[a.first]`;
    case 'endCursor':
      return size === 0 ? sql`null` : sql`a.places[least(a.last, a.n)]`;
    default:
      return sql.literal('PageInfo');
  }
}

const toSqlBoolean = (value: boolean): Sql => (value ? sql`true` : sql`false`);

/** A ` from (…) a` clause with one row for the page, and the JSON of each part that contains rows. */
interface PageSql {
  from: Sql;
  jsons: (Sql | undefined)[];
}

const EMPTY_PAGE: PageSql = { from: sql.empty, jsons: [] };

function buildPage(parts: ConnectionPart[], request: PageRequest, pages: PageSource): PageSql {
  const listParts = parts.filter(({ kind }) => kind === 'nodes' || kind === 'edges');
  const isCut = request.backward || request.size === 0 || parts.some(({ kind }) => kind === 'pageInfo');
  return listParts.length === 1 && !isCut
    ? buildUncutPage(parts, request, pages)
    : buildCutPage(parts, request, pages);
}

/** Builds a page without reading an extra row, for responses that do not depend on whether more rows exist. */
function buildUncutPage(parts: ConnectionPart[], { size }: PageRequest, pages: PageSource): PageSql {
  const { source, from, place } = pages.page(size);
  const { lists, joins } = buildRowLists(pages, source, parts, place);
  const list = lists.find((list) => list !== undefined)!;
  return {
    from: sql` from (select coalesce(json_agg(s), ${NO_ROWS}) as j
      from (select ${list} from (select ${source.row}.* from ${from}) ${source.row}${joins}) s) a`,
    jsons: lists.map((list) => list && sql`a.j`),
  };
}

/** Builds a page as a slice of an array. Reads an extra row to detect whether there are more. */
function buildCutPage(parts: ConnectionPart[], request: PageRequest, pages: PageSource): PageSql {
  const { size, backward } = request;
  const { source, from, place } = pages.page(size + 1);
  const { lists, joins } = buildRowLists(pages, source, parts, place);
  const names = lists.map((list, index) => list && sql.id(`j${index}`));
  const knownNames = names.filter((name) => name !== undefined);
  const rows = lists.flatMap((list, index) =>
    list ? [sql`(select row_to_json(x) from (select ${list}) x) as ${names[index]!}`] : [],
  );
  // Rows read from the end must be reversed.
  const number = backward ? sql`, row_number() over () as number` : sql.empty;
  const order = backward ? sql` order by s.number desc` : sql.empty;
  const [first, last] = backward
    ? [sql`greatest(count(*)::int - ${sql.literal(size)}, 0) + 1`, sql`count(*)::int`]
    : [sql`1`, sql.literal(size)];
  const placeColumn = sql`${asksForPlaces(parts) ? place() : sql.literal(1)} as place`;
  const columns = [
    ...knownNames.map((name) => sql`array_agg(s.${name}${order}) as ${name}`),
    ...(asksForPlaces(parts) ? [sql`array_agg(s.place${order}) as places`] : []),
    sql`count(*)::int as n, ${first} as first, ${last} as last`,
  ];
  return {
    from: sql` from (select ${sql.join(columns)} from (select ${sql.join([...rows, placeColumn])}${number}
      from (select ${source.row}.* from ${from}) ${source.row}${joins}) s) a`,
    jsons: names.map((name) => name && sql`coalesce(array_to_json(a.${name}[a.first:a.last]), ${NO_ROWS})`),
  };
}

const asksForPlaces = (parts: ConnectionPart[]): boolean =>
  parts.some(({ kind, ...part }) => kind === 'pageInfo' && 'info' in part && part.info.some(isCursor));

const isCursor = ({ name }: { name: string }): boolean => name.endsWith('Cursor');

/** Builds the select list of each part that contains rows, by index, and the joins that the lists share. */
function buildRowLists(
  { select }: PageSource,
  source: ModelRows,
  parts: ConnectionPart[],
  place: () => Sql,
): { lists: (Sql | undefined)[]; joins: Sql } {
  const joins: Sql[] = [];
  const items = (item: SelectionItem[]) => select(source, item, joins);
  const lists = parts.map((part) => {
    if (part.kind === 'nodes') return items(part.items);
    if (part.kind !== 'edges') return undefined;
    return sql.join(part.edge.map((item) => sql`${buildEdgeSql(item, items, place)} as ${sql.id(item.key)}`));
  });
  return { lists, joins: sql.join(joins, '') };
}

function buildEdgeSql(item: EdgeItem, items: (item: SelectionItem[]) => Sql, place: () => Sql): Sql {
  if (item.kind === 'typename') return sql.literal(item.type);
  if (item.kind === 'cursor') return place();
  return sql`(select row_to_json(x) from (select ${items(item.items)}) x)`;
}
