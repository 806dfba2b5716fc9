import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { checkField, checkModel, mayField, mayModel, ruleOf } from './access.ts';
import type { Ctx } from './ctx.ts';
import { FALSE, parseDomain, type Reader } from './domain.ts';
import { jsonRow } from './json-row.ts';
import type { Field, Model } from './model.ts';
import {
  alias,
  displaySql,
  type Flavour,
  fieldSql,
  orderSql,
  param,
  quote,
  type Statement,
  unsetToFalse,
  whereSql,
} from './sql.ts';

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

interface Page {
  offset?: number;
  /** null, 0 or absent: no limit. */
  limit?: number | null;
  order?: string | null;
}

/**
 * A many2one read along with its row: the fields of the record it leads to, as an object under the key `as`; null when
 * it is unset or out of the principal's reach.
 */
export interface Along {
  relation: Field;
  as: string;
  fields: (string | Along)[];
}

/** @throws NOT_FOUND_MODEL */
export function modelOf(ctx: Ctx, name: string): Model {
  const model = ctx.runtime.registry.get(name);
  if (!model) throw errors.unknownModel(name);
  return model;
}

/** A statement on the rows of `model` that the principal may read. */
function newStatement(ctx: Ctx): Statement {
  return {
    registry: ctx.runtime.registry,
    params: [ctx.workspace.id],
    aliases: 0,
    joins: 0,
    rule: (model) => (mayModel(ctx, model, 'read') ? ruleOf(ctx, model, 'read') : FALSE),
    mask: ctx.mask,
    named: null,
    nested: false,
    archived: false,
    checkField: (model, field) => checkField(ctx, model, field, 'read'),
  };
}

const readerOf = (ctx: Ctx): Reader => ({
  checkModel: (model) => checkModel(ctx, model, 'read'),
  checkField: (model, field) => checkField(ctx, model, field, 'read'),
  tz: ctx.principal?.tz ?? 'UTC',
});

function conditions(ctx: Ctx, statement: Statement, model: Model, domain: unknown): string {
  const parsed = parseDomain(domain, model, ctx.runtime.registry, readerOf(ctx));
  const parts = ['t.workspace_id = $1'];
  const rule = statement.rule(model);
  for (const node of [parsed.node, rule]) {
    if (node && !(node.kind === 'const' && node.value)) parts.push(whereSql(statement, node, 't'));
  }
  if (model.hasActive && ctx.reading.activeTest && !parsed.active) parts.push('t.active');
  return parts.join(' and ');
}

/**
 * Limits that stand in the statement itself: Postgres then knows how few rows are wanted and keeps one plan, where with
 * a parameter it plans each call anew (measured: half of its time). Few, so that prepared statements stay few.
 */
const USUAL = new Set([1, 10, 20, 40, 50, 80, 100, 200, 500]);

function tail(statement: Statement, model: Model, page: Page): string {
  const limit = page.limit
    ? ` limit ${USUAL.has(page.limit) ? page.limit : param(statement, page.limit)}`
    : '';
  const offset = page.offset ? ` offset ${param(statement, page.offset)}` : '';
  return ` order by ${orderSql(statement, model, page.order || model.order, 't')}${limit}${offset}`;
}

/** Ids of the rows that match `domain`, in order. */
export async function search(ctx: Ctx, name: string, domain: unknown, page: Page = {}): Promise<number[]> {
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  const statement = newStatement(ctx);
  const where = conditions(ctx, statement, model, domain);
  const text = `select t.id from ${quote(model.table)} t where ${where}${tail(statement, model, page)}`;
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
  const from = `from ${quote(model.table)} t where ${where}`;
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
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  // In the default order, which has its index, no more rows are joined than come back.
  const named: string[] | null = page.order && page.order !== model.order && page.limit ? null : [];
  const statement: Statement = { ...newStatement(ctx), named };
  const select = projection(ctx, statement, model, fields, flavour);
  const where = conditions(ctx, statement, model, domain);
  const from = `from ${quote(model.table)} t${named?.join('') ?? ''}`;
  return rowsJson(
    ctx,
    statement,
    `select ${select} ${from} where ${where}${tail(statement, model, page)}`,
    flavour,
  );
}

/**
 * The rows `ids` in that order; ids that do not exist are left out.
 * @throws ACCESS_ERROR when a rule hides one that exists
 */
export async function read(
  ctx: Ctx,
  name: string,
  ids: number[],
  fields: string[] | null,
  flavour: Flavour = 'record',
): Promise<RawJson> {
  const model = modelOf(ctx, name);
  checkModel(ctx, model, 'read');
  if (ids.length === 0) {
    projection(ctx, newStatement(ctx), model, fields, flavour);
    return new RawJson('[]', 0);
  }
  await checkRows(ctx, model, ids, 'read');
  const statement = { ...newStatement(ctx), archived: !ctx.reading.activeTest };
  const select = projection(ctx, statement, model, fields, flavour);
  const list = param(statement, ids);
  return rowsJson(
    ctx,
    statement,
    `select ${select} from unnest(${list}::int[]) with ordinality w(id, place) join ${quote(model.table)} t on t.workspace_id = $1 and t.id = w.id order by w.place`,
    flavour,
  );
}

async function rowsJson(ctx: Ctx, statement: Statement, select: string, flavour: Flavour): Promise<RawJson> {
  const text = `select coalesce(json_agg(s), '[]')::text as json, count(*)::int as n from (${select}) s`;
  const row = (await jsonRow<{ json: string; n: number }>(ctx.db, text, statement.params, ['n']))!;
  return new RawJson(flavour === 'graph' || statement.nested ? row.json : unsetToFalse(row.json), row.n);
}

function projection(
  ctx: Ctx,
  statement: Statement,
  model: Model,
  wanted: (string | Along)[] | null,
  flavour: Flavour,
  row = 't',
): string {
  const names = wanted?.filter((item) => typeof item !== 'object');
  const fields = names?.length ? namedFields(ctx, model, names) : readable(ctx, model);
  statement.nested ||= fields.some((field) => field.type === 'json');
  const columns = fields.map(
    (field) =>
      `${fieldSql(statement, model, field, row, flavour)} as ${quote(flavour === 'graph' ? camel(field.name) : field.name)}`,
  );
  for (const item of wanted ?? []) {
    if (typeof item === 'object' && item !== null)
      columns.push(`${alongSql(ctx, statement, item, row, flavour)} as ${quote(item.as)}`);
  }
  return columns.join(', ');
}

function alongSql(
  ctx: Ctx,
  statement: Statement,
  { relation, fields }: Along,
  row: string,
  flavour: Flavour,
): string {
  const model = modelOf(ctx, relation.relation!);
  checkModel(ctx, model, 'read');
  const far = alias(statement);
  const rule = statement.rule(model);
  const allowed = rule ? ` and ${whereSql(statement, rule, far)}` : '';
  return `(select row_to_json(x) from (select ${projection(ctx, statement, model, fields, flavour, far)} from ${quote(model.table)} ${far}
    where ${far}.workspace_id = $1 and ${far}.id = ${row}.${quote(relation.name)}${allowed}) x)`;
}

/** `id` first, then the fields asked for, each once. */
function namedFields(ctx: Ctx, model: Model, names: string[]): Field[] {
  return [...new Set(['id', ...names])].map((name) => {
    const field = typeof name === 'string' ? model.fields.get(name) : undefined;
    if (!field) throw errors.unknownField(String(name), model.name, 'on');
    checkField(ctx, model, field, 'read');
    return field;
  });
}

/** Every field the principal may read; binary content only when named. */
export function readable(ctx: Ctx, model: Model): Field[] {
  return [...model.fields.values()].filter(
    (field) => !field.secret && field.type !== 'binary' && mayField(ctx, field),
  );
}

export const camel = (name: string): string => name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

/**
 * Makes sure that every existing row of `ids` is in reach of the principal for `operation`.
 * Rows of another workspace do not exist.
 */
export async function checkRows(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: 'read' | 'write' | 'unlink' | 'create',
): Promise<number[]> {
  if (ids.length > limits.domainValues) throw errors.user('too many records in one call');
  const statement = newStatement(ctx);
  const list = param(statement, ids);
  const rule = ruleOf(ctx, model, operation);
  const allowed = rule ? whereSql(statement, rule, 't') : 'true';
  const text = `select t.id, (${allowed}) is true as allowed from ${quote(model.table)} t where t.workspace_id = $1 and t.id = any(${list})`;
  const rows = await ctx.db.rows<{ id: number; allowed: boolean }>(text, statement.params);
  if (rows.some((row) => !row.allowed)) {
    throw errors.recordAccess(operation, model.label, model.name, ctx.principal?.name ?? 'The caller');
  }
  return rows.map((row) => row.id);
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
  const display = displaySql(ctx.runtime.registry, model, 't');
  const sql = `select t.id, ${display} as name from ${quote(model.table)} t where ${where}${tail(statement, model, { limit })}`;
  const rows = await ctx.db.rows<{ id: number; name: string | null }>(sql, statement.params);
  return rows.map((row) => [row.id, row.name ?? '']);
}
