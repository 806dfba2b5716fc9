import { type Sql, sql } from '../../db/sql.ts';
import { modelOf, readerOf } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { parseDomain } from '../domain/parse.ts';
import type { Field } from '../model/field.ts';
import { linkSql, sourceSql } from '../sql/columns.ts';
import { otherRows, type Source, type Statement } from '../sql/statement.ts';
import { activeSql, ruleSql, whereSql } from '../sql/where.ts';
import { listPageSql, type Page, placeColumn, type Query } from './query.ts';
import { projection, type SelectList } from './select-list.ts';

// Lists of related records with conditions, an order and a page of their own.

/** The records that the list `field` of a row holds, of those that match `domain`. */
export interface List {
  field: Field;
  domain: unknown;
}

/** `select …`: the page of the list of the row `parent`. @throws as searchRead */
export function listedPageSql(
  ctx: Ctx,
  statement: Statement,
  parent: Source,
  list: List,
  { fields, page, places }: Pick<Query, 'places'> & { fields: SelectList; page: Page },
): Sql {
  const listed = listedFrom(ctx, statement, parent, list);
  const select = projection(statement, listed.far, fields);
  return sql`select ${select}${places ? placeColumn(statement, listed.far, page) : sql.empty}
    from ${listPageSql(statement, listed, page)}`;
}

/** `"table" t1 where …`: the records of the list of the row `parent`. */
export const filteredListSql = (ctx: Ctx, statement: Statement, parent: Source, list: List): Sql =>
  listedFrom(ctx, statement, parent, list).from;

/** The same, with what its rows are. */
export function listedFrom(
  ctx: Ctx,
  statement: Statement,
  parent: Source,
  { field, domain }: List,
): { far: Source; from: Sql } {
  const far = otherRows(statement, modelOf(ctx, field.relation!));
  const parsed = parseDomain(domain, far.model, statement.registry, readerOf(ctx));
  const isAll = parsed.node.kind === 'const' && parsed.node.value;
  const asked = isAll ? sql.empty : sql` and ${whereSql(statement, far, parsed.node)}`;
  const narrowed = far.model.active && ctx.context.activeTest && !parsed.active;
  const active = narrowed ? sql` and ${activeSql(statement, far)}` : sql.empty;
  const link = linkSql(statement, parent, field, far);
  return {
    far,
    from: sql`${sourceSql(statement, far)} and ${link}${asked}${active}${ruleSql(statement, far)}`,
  };
}
