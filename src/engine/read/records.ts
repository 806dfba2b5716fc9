import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { replaceYielding } from '../../loop/json-yielding.ts';
import { mapYielding } from '../../loop/yield.ts';
import { getRuleTree } from '../access/access.ts';
import { createStatement, getReadableModel } from '../access/create-statement.ts';
import { assertIdCount, assertRowsAllowed } from '../access/row-access.ts';
import { readSharedRows } from '../ctx/batcher.ts';
import { getToday } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model } from '../model/model.ts';
import { buildDisplayNameSql, buildScopeSql, buildSourceSql, buildTableSql } from '../sql/columns.ts';
import { buildMeasuredSql, readJsonRow } from '../sql/json-row.ts';
import { buildPositionJsonSql, toOrderPosition } from '../sql/keyset.ts';
import { replaceUnsetValues } from '../sql/projection.ts';
import { getMainSource, type Statement } from '../sql/statement.ts';
import { buildRuleSql } from '../sql/where.ts';
import { RawJson } from '../value/raw-json.ts';
import { insertContents } from './contents.ts';
import { addLinkNames } from './property-names.ts';
import {
  buildConditionsSql,
  buildPagePositionSql,
  buildPageRowsSql,
  buildPageSql,
  buildPositionColumnSql,
  type PageOptions,
  type ReadQuery,
  type SearchQuery,
} from './query.ts';
import { getRecordReader } from './record-reader.ts';
import { RowStream } from './row-stream.ts';
import { buildSelectListSql, buildWeightListSql } from './select-list.ts';
import { type CachedStatement, getCachedStatement } from './statement-cache.ts';

/** Rows per chunk of a streamed response. A list that fits into one chunk is not streamed. */
export const STREAMED_CHUNK_ROWS = 1_000;
const STREAMED_CHUNK_FILE_ROWS = 2;

export async function search(
  ctx: Ctx,
  name: string,
  domain: unknown,
  page: PageOptions = {},
): Promise<number[]> {
  const model = getReadableModel(ctx, name);
  const statement = createStatement(ctx);
  const { from, rest } = buildPageRowsSql(ctx, statement, model, domain, page);
  const rows = await ctx.db.rows<{ id: number }>(sql`select t.id from ${from}${rest}`);
  return rows.map((row) => row.id);
}

export async function searchCount(
  ctx: Ctx,
  name: string,
  domain: unknown,
  limit?: number | null,
): Promise<number> {
  const model = getReadableModel(ctx, name);
  const statement = createStatement(ctx);
  const from = sql`from ${buildTableSql(statement, model)} t
    where ${buildConditionsSql(ctx, statement, model, domain)}`;
  const [row] = await readSharedRows<{ n: number }>(
    ctx,
    limit
      ? sql`select count(*)::int as n from (select 1 ${from} limit ${limit}) c`
      : sql`select count(*)::int as n ${from}`,
  );
  return row!.n;
}

/**
 * Reads the matching rows as JSON.
 * @throws BAD_VALUE for an unknown field, ACCESS_ERROR for a field that the principal may not see
 */
export async function searchRead(ctx: Ctx, query: SearchQuery): Promise<RawJson> {
  return loadRowsJson(ctx, buildSelect(ctx, query));
}

/** Like searchRead, for callers that accept a streamed response. */
export async function streamSearch(ctx: Ctx, query: SearchQuery): Promise<RawJson | RowStream> {
  const { limit } = query.page ?? {};
  if (limit && limit <= STREAMED_CHUNK_ROWS) return searchRead(ctx, query);
  return streamRows(ctx, buildSelect(ctx, query));
}

/** A select of rows, before their conversion to JSON. */
interface SelectStatement {
  statement: Statement;
  rows: Sql;
  /** Builds the same select with only the sizes of files. */
  buildWeighedSql(): Sql;
}

function buildSelect(
  ctx: Ctx,
  { model: name, domain, fields, page = {}, places = false, archived, flavour = 'record' }: SearchQuery,
): SelectStatement {
  const model = getReadableModel(ctx, name);
  // The default order has an index, so only the returned rows are joined.
  const nameColumns: Sql[] | null = page.order && page.order !== model.order && page.limit ? null : [];
  const statement = createStatement(ctx, { flavour, nameJoins: nameColumns, archived });
  const source = getMainSource(model);
  const place = places ? buildPositionColumnSql(statement, source, page) : sql.empty;
  const select = sql`${buildSelectListSql(statement, source, fields)}${place}`;
  const { from, rest } = buildPageRowsSql(ctx, statement, model, domain, page);
  const wrapSelect = (list: Sql) => sql`select ${list} from ${from}${sql.join(nameColumns ?? [], '')}${rest}`;
  const buildWeighedSql = () => wrapSelect(buildWeightListSql(statement, source, fields));
  return { statement, rows: wrapSelect(select), buildWeighedSql };
}

/**
 * Builds the page after the record `id`.
 * @throws BAD_VALUE if the record does not exist, ACCESS_ERROR if the caller may not read the record, because the page
 * would reveal its values
 */
export async function buildPageAfter(
  ctx: Ctx,
  name: string,
  page: PageOptions,
  id: number | null | undefined,
): Promise<PageOptions> {
  if (!id) return page;
  if (page.offset) throw errors.wrongArgument('after', 'it cannot be combined with an offset');
  const model = getReadableModel(ctx, name);
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  const place = sql`${buildPositionJsonSql(buildPagePositionSql(statement, source, page))}::text`;
  const [row] = await ctx.db.rows<{ place: string }>(
    sql`select ${place} as place
      from ${buildSourceSql(statement, source)} and t.id = ${id}${buildRuleSql(statement, source)}`,
  );
  if (!row) {
    await assertRowsAllowed(ctx, model, [id], 'read');
    throw errors.wrongArgument('after', `the record ${id} does not exist`);
  }
  return { ...page, after: toOrderPosition(JSON.parse(row.place)) };
}

/** Returns true if the JSON from PostgreSQL is returned unchanged. */
const canSendAsIs = ({ flavour, nested }: Statement): boolean => flavour === 'graph' || nested;

async function loadRowsJson(
  ctx: Ctx,
  { statement, rows, buildWeighedSql }: SelectStatement,
): Promise<RawJson> {
  if (statement.files > 0) await rejectLargeFiles(ctx, buildWeighedSql());
  const all = sql`select coalesce(json_agg(s), '[]')::text as json, count(*)::int as n from (${rows}) s`;
  const row = (await readJsonRow<{ json: string; n: number }>(ctx.db, all, ['n']))!;
  const pieces = canSendAsIs(statement) ? [row.json] : await replaceYielding(row.json, replaceUnsetValues);
  if (statement.properties.size === 0 && !statement.contents) return new RawJson(pieces, row.n);
  return new RawJson(await completeRows(ctx, statement, [pieces.join('')]), row.n);
}

/**
 * Checks the size of files before PostgreSQL encodes them. Encoding files that exceed the response limit would take
 * many seconds and several times their size in memory.
 * @throws USER_ERROR
 */
async function rejectLargeFiles(ctx: Ctx, weighedSql: Sql): Promise<void> {
  const bytes = await ctx.db.value<number>(
    sql`select coalesce(sum((select sum(m[1]::int8)
       from regexp_matches(row_to_json(s)::text, '":(\\d+)', 'g') m)), 0)::float8 from (${weighedSql}) s`,
  );
  if ((bytes / 3) * 4 > limits.http.answerBytes) throw errors.answerTooLarge();
}

/** Adds the names of linked records to properties, and file contents from the blob store. */
async function completeRows(ctx: Ctx, statement: Statement, rows: string[]): Promise<string[]> {
  const namedRows = statement.properties.size > 0 ? await addLinkNames(ctx, statement, rows) : rows;
  return statement.contents ? insertContents(ctx, namedRows) : namedRows;
}

/**
 * Streams rows, so that neither PostgreSQL nor this process holds the whole response in memory. Returns short results
 * as a whole.
 */
async function streamRows(ctx: Ctx, selectStatement: SelectStatement): Promise<RawJson | RowStream> {
  const { statement, rows } = selectStatement;
  const rowSql = sql`select row_to_json(s)::text as json from (${rows}) s`;
  const holdsFiles = statement.files > 0;
  const cursor = await ctx.requestDb.cursor<{ json: string | null }>(
    holdsFiles ? buildMeasuredSql(rowSql) : rowSql,
  );
  if (!cursor) return loadRowsJson(ctx, selectStatement);
  const atOnce = holdsFiles ? STREAMED_CHUNK_FILE_ROWS : STREAMED_CHUNK_ROWS;
  const next = async () => {
    const texts = await mapYielding(await cursor.read(atOnce), ({ json }) => {
      if (json === null) throw errors.answerTooLarge();
      return canSendAsIs(statement) ? json : replaceUnsetValues(json);
    });
    return completeRows(ctx, statement, texts);
  };
  const first = await next().catch(async (error) => {
    await cursor.close();
    throw error;
  });
  if (first.length < atOnce) {
    await cursor.close();
    return new RawJson(`[${first.join(',')}]`, first.length);
  }
  return new RowStream(async function* () {
    try {
      for (let part = first; part.length > 0; part = await next()) yield part;
    } finally {
      await cursor.close();
    }
  });
}

/**
 * Reads the rows `ids` in this order. Omits missing rows.
 * @throws ACCESS_ERROR if a rule hides an existing row
 */
export async function read(ctx: Ctx, query: ReadQuery): Promise<RawJson> {
  const { ids } = query;
  const model = getReadableModel(ctx, query.model);
  if (ids.length === 0) {
    buildSelectListSql(createStatement(ctx), getMainSource(model), query.fields);
    return new RawJson('[]', 0);
  }
  assertIdCount(ids);
  const distinctIds = [...new Set(ids)];
  const uniqueQuery = distinctIds.length < ids.length ? { ...query, ids: distinctIds } : query;
  const rows = (await readOne(ctx, model, uniqueQuery)) ?? (await readMany(ctx, model, uniqueQuery));
  // Missing rows either do not exist or are not accessible.
  if (rows.count < distinctIds.length && getRuleTree(ctx, model, 'read'))
    await assertRowsAllowed(ctx, model, distinctIds, 'read');
  return uniqueQuery === query ? rows : repeatRows(ctx, ids, rows);
}

/**
 * Repeats rows for duplicate ids, because PostgreSQL reads each row once.
 * @throws USER_ERROR if the response limit is exceeded
 */
function repeatRows(ctx: Ctx, ids: number[], rows: RawJson): RawJson {
  const texts = new Map(rows.value<{ id: number }[]>().map((row) => [row.id, JSON.stringify(row)]));
  const repeatedRows = ids.flatMap((id) => texts.get(id) ?? []);
  const bytes = new Map([...texts].map(([id, text]) => [id, Buffer.byteLength(text) + 1]));
  const length = ids.reduce((sum, id) => sum + (bytes.get(id) ?? 0), 0);
  if (length > limits.http.answerBytes) throw errors.answerTooLarge();
  if (length >= limits.http.largeResponse) ctx.db.trackResponse(length);
  return new RawJson(`[${repeatedRows.join(',')}]`, repeatedRows.length);
}

async function readMany(ctx: Ctx, model: Model, { ids, fields, flavour }: ReadQuery): Promise<RawJson> {
  const statement = createStatement(ctx, { flavour: flavour ?? 'record', archived: !ctx.context.activeTest });
  const source = getMainSource(model);
  const select = buildSelectListSql(statement, source, fields);
  const rule = buildRuleSql(statement, source);
  // A single id is not unnested, because PostgreSQL does not know an array's length and would plan the statement again
  // on each call.
  const wrapSelect = (list: Sql) =>
    ids.length === 1
      ? sql`select ${list} from ${buildSourceSql(statement, source)} and t.id = ${ids[0]}${rule}`
      : sql`select ${list} from unnest(${ids}::int8[]) with ordinality w(id, place)
         join ${buildTableSql(statement, model)} t on ${buildScopeSql(statement, source)} and t.id = w.id${rule}
           order by w.place`;
  const buildWeighedSql = () => wrapSelect(buildWeightListSql(statement, source, fields));
  return loadRowsJson(ctx, { statement, rows: wrapSelect(select), buildWeighedSql });
}

/** Reads one row with a cached statement. Null if the statement cannot be cached. */
async function readOne(ctx: Ctx, model: Model, query: ReadQuery): Promise<RawJson | null> {
  const [id] = query.ids;
  if (query.ids.length !== 1 || id === undefined) return null;
  const statement = getCachedStatement(ctx, query, () => buildRecordStatement(ctx, model, query));
  if (!statement) return null;
  const json = await statement.read(ctx, id);
  if (json === null) return new RawJson('[]', 0);
  return new RawJson(`[${statement.asIs ? json : replaceUnsetValues(json)}]`, 1);
}

/**
 * Builds the statement for one record. Null if the row depends on the date, needs postprocessing (properties, contents)
 * or must be created first (reference rows).
 */
function buildRecordStatement(
  ctx: Ctx,
  model: Model,
  { fields, flavour }: ReadQuery,
): CachedStatement | null {
  let isDated = false;
  const statement = createStatement(ctx, {
    flavour: flavour ?? 'record',
    archived: !ctx.context.activeTest,
    today: () => {
      isDated = true;
      return getToday(ctx);
    },
  });
  const source = getMainSource(model);
  const select = buildSelectListSql(statement, source, fields);
  const from = buildSourceSql(statement, source);
  const rule = buildRuleSql(statement, source);
  if (isDated || statement.properties.size > 0 || statement.contents || ctx.firstUses.requested.size > 0)
    return null;
  // A single file may have any size. Several files must pass a size check first.
  if (statement.files > 1) return null;
  const reader = getRecordReader(
    ctx,
    (condition) => sql`select s.id, row_to_json(s)::text as json
      from (select ${select} from ${from} and t.id ${condition}${rule}) s`,
  );
  return { read: reader, asIs: canSendAsIs(statement) };
}

interface NameQuery {
  model: string;
  text: string;
  domain: unknown;
  operator: string;
  limit: number | null;
}

export async function nameSearch(ctx: Ctx, query: NameQuery): Promise<[number, string][]> {
  const { text, domain, operator, limit } = query;
  const model = getReadableModel(ctx, query.model);
  const statement = createStatement(ctx);
  // With empty text, `like` matches every name and `not like` matches none.
  const isEvery = text === '' && /^\s*=?i?like\s*$/i.test(operator) && !operator.includes('=');
  const nameDomain = isEvery ? [] : [['display_name', operator, text]];
  const extra = domain === null || domain === undefined || domain === false ? [] : domain;
  if (!Array.isArray(extra)) throw errors.malformedDomain('a domain must be a list of conditions');
  const where = buildConditionsSql(ctx, statement, model, [...nameDomain, ...extra]);
  const { joins, rest } = buildPageSql(statement, getMainSource(model), { limit });
  const rows = await ctx.db.rows<{ id: number; name: string | null }>(
    sql`select t.id, ${buildDisplayNameSql(statement, getMainSource(model))} as name
     from ${buildTableSql(statement, model)} t${joins} where ${where}${rest}`,
  );
  return rows.map((row) => [row.id, row.name ?? '']);
}
