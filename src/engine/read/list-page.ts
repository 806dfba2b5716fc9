import { type Sql, sql } from '../../db/sql.ts';
import { createDomainReader, getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { parseDomain } from '../domain/parse.ts';
import type { Field } from '../model/field.ts';
import { buildLinkSql, buildSourceSql } from '../sql/columns.ts';
import { addSource, type ModelRows, type Statement } from '../sql/statement.ts';
import { buildActiveSql, buildRuleSql, buildWhereSql } from '../sql/where.ts';
import { buildListRowsSql, buildPositionColumnSql, type PageOptions, type SearchQuery } from './query.ts';
import { buildSelectListSql, type SelectList } from './select-list.ts';

/** The records in a row's list `field` that match `domain`. */
interface FilteredList {
  field: Field;
  domain: unknown;
}

/**
 * Builds a `select` that returns one page of a list field of the row `parent`.
 * @throws the same errors as searchRead
 */
export function buildListPageSql(
  ctx: Ctx,
  statement: Statement,
  parent: ModelRows,
  list: FilteredList,
  { fields, page, places }: Pick<SearchQuery, 'places'> & { fields: SelectList; page: PageOptions },
): Sql {
  const listed = buildListSource(ctx, statement, parent, list);
  const select = buildSelectListSql(statement, listed.target, fields);
  return sql`select ${select}${places ? buildPositionColumnSql(statement, listed.target, page) : sql.empty}
    from ${buildListRowsSql(statement, listed, page)}`;
}

/** Builds `"table" t1 where …` for the filtered list of the row `parent`. */
export const buildFilteredListSql = (
  ctx: Ctx,
  statement: Statement,
  parent: ModelRows,
  list: FilteredList,
): Sql => buildListSource(ctx, statement, parent, list).from;

export function buildListSource(
  ctx: Ctx,
  statement: Statement,
  parent: ModelRows,
  { field, domain }: FilteredList,
): { target: ModelRows; from: Sql } {
  const target = addSource(statement, getModel(ctx, field.relation!));
  const parsed = parseDomain(domain, target.model, statement.registry, createDomainReader(ctx));
  const isAll = parsed.node.kind === 'const' && parsed.node.value;
  const filter = isAll ? sql.empty : sql` and ${buildWhereSql(statement, target, parsed.node)}`;
  const isNarrowed = target.model.active && ctx.context.activeTest && !parsed.active;
  const active = isNarrowed ? sql` and ${buildActiveSql(statement, target)}` : sql.empty;
  const link = buildLinkSql(statement, parent, field, target);
  return {
    target,
    from: sql`${buildSourceSql(statement, target)} and ${link}${filter}${active}${buildRuleSql(statement, target)}`,
  };
}
