import { type Sql, sql } from '../../../src/db/sql.ts';
import { buildPositionJsonSql, type PositionSql } from '../../../src/engine/sql/keyset.ts';
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
  page(limit: number): { source: ModelRows; from: Sql; place(): PositionSql };
  total(): Sql;
}

const NO_ROWS = sql`'[]'::json`;

/** Builds a `select …` that returns one row with the connection's fields as columns. */
export function buildConnectionSql(list: ListSelection, request: PageRequest, pages: PageSource): Sql {
  const page = hasRows(list) ? buildPage(list.parts, request, pages) : EMPTY_PAGE;
  const parts = list.parts.map(
    (part, index) => sql`${buildPartSql(part, index, page, request, pages)} as ${sql.id(part.key)}`,
  );
  return sql`select ${sql.join(parts)}${page.from}`;
}

function buildPartSql(
  part: ConnectionPart,
  index: number,
  page: PageSql,
  request: PageRequest,
  pages: PageSource,
): Sql {
  switch (part.kind) {
    case 'typename':
      return sql.literal(part.type);
    case 'totalCount':
      return pages.total();
    case 'pageInfo': {
      const info = part.info.map(
        ({ key, name }) => sql`${buildPageInfoSql(name, request, page)} as ${sql.id(key)}`,
      );
      return sql`(select row_to_json(x.*) from (select ${sql.join(info)}) x)`;
    }
    default:
      return page.jsons[index]!;
  }
}

function buildPageInfoSql(name: string, { size, backward, hasBehind }: PageRequest, page: PageSql): Sql {
  switch (name) {
    case 'hasNextPage':
      return backward ? toSqlBoolean(hasBehind) : sql`a.n > ${sql.literal(size)}`;
    case 'hasPreviousPage':
      return backward ? sql`a.n > ${sql.literal(size)}` : toSqlBoolean(hasBehind);
    case 'startCursor':
      return page.buildPositionSql(sql`a.first`);
    case 'endCursor':
      return page.buildPositionSql(sql`least(a.last, a.n)`);
    default:
      return sql.literal('PageInfo');
  }
}

const toSqlBoolean = (value: boolean): Sql => (value ? sql`true` : sql`false`);

/** A ` from (…) a` clause with one row for the page, and the JSON of each part that contains rows. */
interface PageSql {
  from: Sql;
  jsons: (Sql | undefined)[];
  /** Builds the position of the row with an index, which starts at 1. */
  buildPositionSql(index: Sql): Sql;
}

const EMPTY_PAGE: PageSql = { from: sql.empty, jsons: [], buildPositionSql: () => sql`null` };

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
    ...EMPTY_PAGE,
    from: sql` from (select coalesce(json_agg(s.*), ${NO_ROWS}) as j
      from (select ${list} from (select ${source.row}.* from ${from}) ${source.row}${joins}) s) a`,
    jsons: lists.map((list) => list && sql`a.j`),
  };
}

/** Builds a page as a slice of an array. Reads an extra row to detect whether there are more. */
function buildCutPage(parts: ConnectionPart[], request: PageRequest, pages: PageSource): PageSql {
  const { size, backward } = request;
  const { source, from, place } = pages.page(size + 1);
  const { lists, joins } = buildRowLists(pages, source, parts, place);
  const names = lists.map((list, index) => list && buildRecordName(`${index}`));
  const records = lists.map((list, index) =>
    list ? sql` cross join lateral (select ${list}) ${names[index]!}` : sql.empty,
  );
  const position = size > 0 && asksForPlaces(parts) ? place() : null;
  const values = (position?.values ?? []).map((value, index) => ({ value, name: sql.id(`p${index}`) }));
  const aggregated = [...names.filter((name) => name !== undefined), ...values.map(({ name }) => name)];
  const rows = [
    ...names.filter((name) => name !== undefined),
    ...values.map(({ value, name }) => sql`${value} as ${name}`),
    // Rows read from the end must be reversed.
    ...(backward ? [sql`row_number() over () as number`] : []),
  ];
  const order = backward ? sql` order by s.number desc` : sql.empty;
  const [first, last] = backward
    ? [sql`greatest(count(*)::int - ${sql.literal(size)}, 0) + 1`, sql`count(*)::int`]
    : [sql`1`, sql.literal(size)];
  const columns = [
    ...aggregated.map((name) => sql`array_agg(s.${name}${order}) as ${name}`),
    sql`count(*)::int as n, ${first} as first, ${last} as last`,
  ];
  return {
    from: sql` from (select ${sql.join(columns)} from (select ${sql.join(rows)}
      from (select ${source.row}.* from ${from}) ${source.row}${joins}${sql.join(records, '')}) s) a`,
    jsons: names.map((name) => name && sql`coalesce(array_to_json(a.${name}[a.first:a.last]), ${NO_ROWS})`),
    buildPositionSql(index) {
      if (!position) return sql`null`;
      const found = values.map(({ name }) => sql`a.${name}[${index}]`);
      return sql`case when a.n > 0 then ${buildPositionJsonSql({ ...position, values: found })} end`;
    },
  };
}

/** A name that differs from every column, which are response keys: GraphQL names cannot contain `@`. */
const buildRecordName = (index: string): Sql => sql.id(`@${index}`);

const asksForPlaces = (parts: ConnectionPart[]): boolean =>
  parts.some(({ kind, ...part }) => kind === 'pageInfo' && 'info' in part && part.info.some(isCursor));

const isCursor = ({ name }: { name: string }): boolean => name.endsWith('Cursor');

/** Builds the select list of each part that contains rows, by index, and the joins that the lists share. */
function buildRowLists(
  { select }: PageSource,
  source: ModelRows,
  parts: ConnectionPart[],
  place: () => PositionSql,
): { lists: (Sql | undefined)[]; joins: Sql } {
  const joins: Sql[] = [];
  const buildEdgeItem = (item: EdgeItem, index: string): Sql => {
    if (item.kind === 'typename') return sql.literal(item.type);
    if (item.kind === 'cursor') return buildPositionJsonSql(place());
    const node = buildRecordName(index);
    const items = select(source, item.items, joins);
    joins.push(sql` cross join lateral (select ${items}) ${node}`);
    return node;
  };
  const lists = parts.map((part, index) => {
    if (part.kind === 'nodes') return select(source, part.items, joins);
    if (part.kind !== 'edges') return undefined;
    return sql.join(
      part.edge.map(
        (item, edgeIndex) => sql`${buildEdgeItem(item, `${index}_${edgeIndex}`)} as ${sql.id(item.key)}`,
      ),
    );
  });
  return { lists, joins: sql.join(joins, '') };
}
