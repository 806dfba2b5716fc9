import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { checkModel, ruleOf } from '../access/access.ts';
import { modelOf, newStatement, readerOf } from '../access/reader.ts';
import { checkRows, refuseMany } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { parseDomain } from '../domain/parse.ts';
import type { Model } from '../model/model.ts';
import { displaySql, scopeSql, tableOf } from '../sql/columns.ts';
import { jsonRow, measured, measuredRow } from '../sql/json-row.ts';
import { afterSql } from '../sql/keyset.ts';
import { orderSql } from '../sql/order.ts';
import { type Flavour, unsetToFalse } from '../sql/projection.ts';
import { param, type Statement } from '../sql/statement.ts';
import { activeSql, whereSql } from '../sql/where.ts';
import { nameLinks } from './property-names.ts';
import { RowStream } from './row-stream.ts';
import { type Along, projection } from './select-list.ts';
import { type Kept, keptStatement } from './statement-cache.ts';

/** JSON as Postgres wrote it. Doors that speak JSON pass `text` through; others call `value()`. */
export class RawJson {
  readonly text: string;
  /** Rows in the list, when it is one. */
  readonly count: number;
  constructor(text: string, count: number) {
    this.text = text;
    this.count = count;
  }
  value<T = unknown>(): T {
    return JSON.parse(this.text) as T;
  }
  toJSON(): unknown {
    return this.value();
  }
}

export interface Page {
  offset?: number;
  /** null, 0 or absent: no limit. */
  limit?: number | null;
  order?: string | null;
  /** The rows that come after this one in the order; not together with an offset. */
  after?: number | null;
}

/** The `where` of the rows `t` of `model` that match `domain` and that the principal may read. */
export function conditions(ctx: Ctx, statement: Statement, model: Model, domain: unknown): string {
  const asked = model.options.narrow?.(domain) ?? domain;
  const parsed = parseDomain(asked, model, ctx.catalog.registry, readerOf(ctx));
  const parts = [scopeSql(model, 't')];
  const rule = statement.rule(model);
  for (const node of [parsed.node, rule]) {
    if (node && !(node.kind === 'const' && node.value)) parts.push(whereSql(statement, node, 't', model));
  }
  if (model.active && ctx.context.activeTest && !parsed.active) parts.push(activeSql(statement, model, 't'));
  return parts.join(' and ');
}

/**
 * Limits that stand in the statement itself: Postgres then knows how few rows are wanted and keeps one plan, where with
 * a parameter it plans each call anew (measured: half of its time). Few, so that prepared statements stay few.
 */
const USUAL = new Set([1, 10, 20, 40, 50, 80, 100, 200, 500]);

/** The condition of the page, its order, limit and offset. */
function tail(statement: Statement, model: Model, page: Page): string {
  const order = page.order || model.order;
  const after = page.after ? ` and ${afterSql(statement, model, order, page.after)}` : '';
  const limit = page.limit
    ? ` limit ${USUAL.has(page.limit) ? page.limit : param(statement, page.limit)}`
    : '';
  const offset = page.offset ? ` offset ${param(statement, page.offset)}` : '';
  return `${after} order by ${orderSql(statement, model, order, 't')}${limit}${offset}`;
}

/** Ids of the rows that match `domain`, in order. */
export async function search(ctx: Ctx, name: string, domain: unknown, page: Page = {}): Promise<number[]> {
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  const statement = newStatement(ctx);
  const where = conditions(ctx, statement, model, domain);
  const text = `select t.id from ${tableOf(model)} t where ${where}${tail(statement, model, page)}`;
  return (await ctx.db.rows<{ id: number }>(text, statement.params)).map((row) => row.id);
}

/** Number of rows that match, counted up to `limit` when given. */
export async function searchCount(
  ctx: Ctx,
  name: string,
  domain: unknown,
  limit?: number | null,
): Promise<number> {
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  const statement = newStatement(ctx);
  const where = conditions(ctx, statement, model, domain);
  const from = `from ${tableOf(model)} t where ${where}`;
  const text = limit
    ? `select count(*)::int as n from (select 1 ${from} limit ${param(statement, limit)}) c`
    : `select count(*)::int as n ${from}`;
  return (await ctx.db.rows<{ n: number }>(text, statement.params))[0]!.n;
}

/**
 * Rows that match, as JSON.
 * @param fields names in the order wanted; empty means every readable field
 * @throws BAD_VALUE for an unknown field, ACCESS_ERROR for one the principal may not see
 */
export async function searchRead(
  ctx: Ctx,
  name: string,
  domain: unknown,
  fields: (string | Along)[] | null,
  page: Page = {},
  flavour: Flavour = 'record',
): Promise<RawJson> {
  const { model, statement, rows } = selectOf(ctx, name, domain, fields, page, flavour);
  const found = await rowsJson(ctx, statement, rows, flavour);
  if (page.after && found.count === 0) await checkMark(ctx, model, page.after);
  return found;
}

/** As searchRead, for a caller who can take a long answer piece by piece. */
export async function searchStream(
  ctx: Ctx,
  name: string,
  domain: unknown,
  fields: (string | Along)[] | null,
  page: Page,
  flavour: Flavour,
): Promise<RawJson | RowStream> {
  const isShort = page.limit && page.limit <= limits.streamedRows;
  if (isShort || page.after) return searchRead(ctx, name, domain, fields, page, flavour);
  const { statement, rows } = selectOf(ctx, name, domain, fields, page, flavour);
  return rowStream(ctx, statement, rows, flavour);
}

/** The statement of the rows that match, before they are made JSON. */
function selectOf(
  ctx: Ctx,
  name: string,
  domain: unknown,
  fields: (string | Along)[] | null,
  page: Page,
  flavour: Flavour,
): { model: Model; statement: Statement; rows: string } {
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  // In the default order, which has its index, no more rows are joined than come back.
  const named: string[] | null = page.order && page.order !== model.order && page.limit ? null : [];
  const statement: Statement = { ...newStatement(ctx), named };
  const select = projection(ctx, statement, model, fields, flavour);
  const where = conditions(ctx, statement, model, domain);
  const from = `from ${tableOf(model)} t${named?.join('') ?? ''}`;
  return { model, statement, rows: `select ${select} ${from} where ${where}${tail(statement, model, page)}` };
}

/** An end of the list must not be mistaken for a mark that is gone. */
async function checkMark(ctx: Ctx, model: Model, id: number): Promise<void> {
  const there = await checkRows(ctx, model, [id], 'read');
  if (there.length === 0)
    throw errors.badValue(`Wrong value for the argument 'after': there is no record ${id}`);
}

/** Rows as they come: neither Postgres nor we hold the whole answer. Short ones are answered at once. */
async function rowStream(
  ctx: Ctx,
  statement: Statement,
  select: string,
  flavour: Flavour,
): Promise<RawJson | RowStream> {
  const asIs = flavour === 'graph' || statement.nested;
  const cursor = await ctx.runtime.db.cursor<{ json: string }>(
    `select row_to_json(s)::text as json from (${select}) s`,
    statement.params,
  );
  if (!cursor) return rowsJson(ctx, statement, select, flavour);
  const next = async () => {
    const rows = await cursor.read(limits.streamedRows);
    const texts = rows.map(({ json }) => (asIs ? json : unsetToFalse(json)));
    return nameLinks(ctx, statement, texts);
  };
  const first = await next().catch(async (error) => {
    await cursor.close();
    throw error;
  });
  if (first.length < limits.streamedRows) {
    await cursor.close();
    return new RawJson(`[${first.join(',')}]`, first.length);
  }
  return new RowStream(async function* () {
    try {
      for (let rows = first; rows.length > 0; rows = await next()) yield rows;
    } finally {
      await cursor.close();
    }
  });
}

/**
 * The rows `ids` in that order; ids that do not exist are left out.
 * @throws ACCESS_ERROR when a rule hides one that exists
 */
export async function read(
  ctx: Ctx,
  name: string,
  ids: number[],
  fields: (string | Along)[] | null,
  flavour: Flavour = 'record',
): Promise<RawJson> {
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  if (ids.length === 0) {
    projection(ctx, newStatement(ctx), model, fields, flavour);
    return new RawJson('[]', 0);
  }
  refuseMany(ids);
  const rows =
    (await readOne(ctx, model, ids, fields, flavour)) ?? (await readAll(ctx, model, ids, fields, flavour));
  // Those that lack are either not there or refused.
  if (rows.count < ids.length && ruleOf(ctx, model, 'read')) await checkRows(ctx, model, ids, 'read');
  return rows;
}

async function readAll(
  ctx: Ctx,
  model: Model,
  ids: number[],
  fields: (string | Along)[] | null,
  flavour: Flavour,
): Promise<RawJson> {
  const statement = { ...newStatement(ctx), archived: !ctx.context.activeTest };
  const select = projection(ctx, statement, model, fields, flavour);
  const rows = `select ${select} from ${among(statement, model, ids)}`;
  return rowsJson(ctx, statement, rows, flavour);
}

/** One row by the statement kept for it; null when there is none. */
async function readOne(
  ctx: Ctx,
  model: Model,
  ids: number[],
  fields: (string | Along)[] | null,
  flavour: Flavour,
): Promise<RawJson | null> {
  if (ids.length !== 1) return null;
  const kept = keptStatement(ctx, model, fields, flavour, () => statementOfOne(ctx, model, fields, flavour));
  if (!kept) return null;
  const row = await measuredRow(ctx.db, kept.text, [...kept.params, ids[0]]);
  if (!row) return new RawJson('[]', 0);
  return new RawJson(`[${kept.asIs ? row.json : unsetToFalse(row.json)}]`, 1);
}

/** null for a row with what changes by itself (today) or has to be looked at (properties). */
function statementOfOne(
  ctx: Ctx,
  model: Model,
  fields: (string | Along)[] | null,
  flavour: Flavour,
): Kept | null {
  let isDated = false;
  const plain = newStatement(ctx);
  const today = () => {
    isDated = true;
    return plain.today();
  };
  const statement = { ...plain, archived: !ctx.context.activeTest, today };
  const select = projection(ctx, statement, model, fields, flavour);
  const from = among(statement, model, [0]);
  if (isDated || statement.properties.size > 0) return null;
  const text = measured(`select row_to_json(s)::text as json from (select ${select} from ${from}) s`);
  return { text, params: statement.params.slice(0, -1), asIs: flavour === 'graph' || statement.nested };
}

/**
 * `from` and `where` of the rows `ids` in that order. One alone is not unnested: of a list Postgres does not know how
 * long it is, and would plan the statement anew each time.
 */
function among(statement: Statement, model: Model, ids: number[]): string {
  const rule = statement.rule(model);
  const allowed = rule ? ` and ${whereSql(statement, rule, 't', model)}` : '';
  const from = `${tableOf(model)} t`;
  if (ids.length === 1)
    return `${from} where ${scopeSql(model, 't')} and t.id = ${param(statement, ids[0])}${allowed}`;
  return `unnest(${param(statement, ids)}::int[]) with ordinality w(id, place) join ${from} on ${scopeSql(model, 't')} and t.id = w.id${allowed} order by w.place`;
}

async function rowsJson(ctx: Ctx, statement: Statement, select: string, flavour: Flavour): Promise<RawJson> {
  const text = `select coalesce(json_agg(s), '[]')::text as json, count(*)::int as n from (${select}) s`;
  const row = (await jsonRow<{ json: string; n: number }>(ctx.db, text, statement.params, ['n']))!;
  const json = flavour === 'graph' || statement.nested ? row.json : unsetToFalse(row.json);
  return new RawJson((await nameLinks(ctx, statement, [json]))[0]!, row.n);
}

/** `[id, display name]` of rows whose name matches. */
export async function nameSearch(
  ctx: Ctx,
  name: string,
  text: string,
  domain: unknown,
  operator: string,
  limit: number | null,
): Promise<[number, string][]> {
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  const statement = newStatement(ctx);
  const wanted = text === '' && operator.endsWith('like') ? [] : [['display_name', operator, text]];
  const extra = domain === null || domain === undefined || domain === false ? [] : domain;
  if (!Array.isArray(extra)) throw errors.malformedDomain('a domain is a list of conditions');
  const where = conditions(ctx, statement, model, [...wanted, ...extra]);
  const display = displaySql(statement, model, 't');
  const sql = `select t.id, ${display} as name from ${tableOf(model)} t where ${where}${tail(statement, model, { limit })}`;
  const rows = await ctx.db.rows<{ id: number; name: string | null }>(sql, statement.params);
  return rows.map((row) => [row.id, row.name ?? '']);
}
