import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { readerOf } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { parseDomain } from '../domain/parse.ts';
import type { Model } from '../model/model.ts';
import { scopeSql } from '../sql/columns.ts';
import { afterSql } from '../sql/keyset.ts';
import { orderSql } from '../sql/order.ts';
import { type Flavour, rowsOf, type Source, type Statement } from '../sql/statement.ts';
import { activeSql, whereSql } from '../sql/where.ts';
import type { SelectList } from './select-list.ts';

/** Which records to find, and what to read of them. */
export interface Query {
  model: string;
  domain: unknown;
  /** In the order wanted; empty or null means every readable field. */
  fields: SelectList | null;
  page?: Page;
  /** Default `record`. */
  flavour?: Flavour;
}

/** What to read of given records. */
export type RecordQuery = Pick<Query, 'model' | 'fields' | 'flavour'> & { ids: number[] };

export interface Page {
  offset?: number;
  /** null, 0 or absent: no limit. */
  limit?: number | null;
  order?: string | null;
  /** The rows that come after this one in the order; not together with an offset. */
  after?: number | null;
}

/** The page that a caller asks for. @throws BAD_VALUE for what is none */
export function pageOf(
  offset: number | null | undefined,
  limit: number | null | undefined,
  order: string | null | undefined,
  after?: number | null,
): Page {
  if ((offset ?? 0) < 0 || (limit ?? 0) < 0) throw errors.badValue('offset and limit may not be negative');
  if (after && offset) throw errors.wrongArgument('after', 'it goes with no offset');
  return { offset: offset ?? 0, limit: limit ?? null, order: order ?? null, after: after ?? null };
}

/** The `where` of the rows `t` of `model` that match `domain` and that the principal may read. */
export function conditionsSql(ctx: Ctx, statement: Statement, model: Model, domain: unknown): Sql {
  const asked = model.options.narrow?.(domain) ?? domain;
  const parsed = parseDomain(asked, model, ctx.catalog.registry, readerOf(ctx));
  const source = rowsOf(model);
  const parts = [scopeSql(statement, source)];
  for (const node of [parsed.node, statement.rule(model)])
    if (node && !(node.kind === 'const' && node.value)) parts.push(whereSql(statement, source, node));
  if (model.active && ctx.context.activeTest && !parsed.active) parts.push(activeSql(statement, source));
  return sql.join(parts, ' and ');
}

/**
 * Limits that stand in the statement itself: Postgres then knows how few rows are wanted and keeps one plan, where with
 * a parameter it plans every call again (measured: half of its time). Few, so that prepared statements stay few.
 */
const USUAL = new Set([1, 10, 20, 40, 50, 80, 100, 200, 500].flatMap((limit) => [limit, limit + 1]));

/** What follows the `where` of the rows: the condition of the page, its order, limit and offset. */
export function pageSql(statement: Statement, source: Source, page: Page): Sql {
  const order = page.order || source.model.order;
  const after = page.after ? sql` and ${afterSql(statement, source, order, page.after)}` : sql.empty;
  return sql`${after} order by ${orderSql(statement, source, order)}${limitSql(page.limit)}${
    page.offset ? sql` offset ${page.offset}` : sql.empty
  }`;
}

function limitSql(limit: number | null | undefined): Sql {
  if (!limit) return sql.empty;
  return USUAL.has(limit) ? sql` limit ${sql.literal(limit)}` : sql` limit ${limit}`;
}
