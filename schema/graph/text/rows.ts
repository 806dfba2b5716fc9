import { type Sql, sql } from '../../../src/db/sql.ts';
import { canAccessField, canAccessModel } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { buildFilteredListSql, buildListSource } from '../../../src/engine/read/list-page.ts';
import { buildListRowsSql, buildPagePositionSql } from '../../../src/engine/read/query.ts';
import { buildColumnSql, buildSourceSql } from '../../../src/engine/sql/columns.ts';
import { addSource, createAlias, type ModelRows, type Statement } from '../../../src/engine/sql/statement.ts';
import { buildRuleSql } from '../../../src/engine/sql/where.ts';
import { limits } from '../../../src/limits.ts';
import { getFieldName, getTypeName } from '../plan/names.ts';
import { withArchived } from '../read/connection.ts';
import { buildPageRequest } from '../read/page.ts';
import { hasTextSearch } from '../read/text-searches.ts';
import { buildConnectionSql } from './connection.ts';
import { hasRows, ResolversRequiredError, type SelectionItem, type Variables } from './tree.ts';
import { buildValueSql } from './value.ts';

export interface TextStatement {
  ctx: Ctx;
  statement: Statement;
  variables: Variables;
  /** Fields omitted because the caller may not see them. */
  hidden: Set<string>;
  /** Maximum number of records that the nested lists built so far can return. */
  spent: { records: number };
}

/**
 * A position in the response. `times` is the maximum number of records there. `nested` is true if the actual number
 * depends on the data.
 */
interface ResponsePosition {
  times: number;
  nested: boolean;
}

/**
 * Builds the select list of rows.
 * @param joins collects joins to append to the rows' `from`
 * @throws ResolversRequiredError if the resolvers would return a different result or an error
 */
export const buildSelectSql = (
  writingStatement: TextStatement,
  source: ModelRows,
  items: SelectionItem[],
  position: ResponsePosition,
  joins: Sql[],
): Sql =>
  sql.join(
    items.flatMap((item) => {
      if (item.kind !== 'omitted')
        return [sql`${buildItemSql(writingStatement, source, item, position, joins)} as ${sql.id(item.key)}`];
      isFieldVisible(writingStatement, source.model, item.field, position);
      return [];
    }),
  );

type VisibleItem = Exclude<SelectionItem, { kind: 'omitted' }>;

function buildItemSql(
  writingStatement: TextStatement,
  source: ModelRows,
  item: VisibleItem,
  position: ResponsePosition,
  joins: Sql[],
): Sql {
  if (item.kind === 'typename') return sql.literal(item.type);
  if (!isFieldVisible(writingStatement, source.model, item.field, position)) return sql`null`;
  if (item.kind === 'column') return buildValueSql(writingStatement.statement, source, item.field, item.type);
  if (item.kind === 'one') return buildRecordSql(writingStatement, source, item, position, joins);
  return buildNestedList(writingStatement, source, item, position);
}

/**
 * Returns true if the caller may see the field. A hidden field is null and is recorded. The resolvers must run below a
 * list, because they record the field only if the list has records.
 */
function isFieldVisible(
  { ctx, hidden }: TextStatement,
  model: Model,
  field: Field,
  { nested }: ResponsePosition,
): boolean {
  if (canAccessField(ctx, field)) return true;
  if (nested || field.type.endsWith('2many')) throw new ResolversRequiredError('a hidden field in a list');
  hidden.add(`${getTypeName(model)}.${getFieldName(model, field)}`);
  return false;
}

type ItemOf<Kind extends SelectionItem['kind']> = Extract<SelectionItem, { kind: Kind }>;

/**
 * Joins a many2one's record to the page's rows with a nested loop, which keeps their order and lets PostgreSQL cache
 * repeated records.
 */
function buildRecordSql(
  writingStatement: TextStatement,
  source: ModelRows,
  item: ItemOf<'one'>,
  position: ResponsePosition,
  joins: Sql[],
): Sql {
  const { ctx, statement } = writingStatement;
  const target = requireReadableModel(ctx, item.field.relation!);
  const targetRows = addSource(statement, target);
  const inner: Sql[] = [];
  const list = buildSelectSql(writingStatement, targetRows, item.items, position, inner);
  const link = sql`${targetRows.row}.id = ${buildColumnSql(statement, source, item.field)}`;
  const from = sql`${buildSourceSql(statement, targetRows)} and ${link}${buildRuleSql(statement, targetRows)}`;
  const rows = inner.length
    ? sql`(select ${targetRows.row}.* from ${from}) ${targetRows.row}${sql.join(inner, '')}`
    : from;
  const joinedSql = createAlias(statement);
  joins.push(sql` left join lateral (select row_to_json(x.*) as j from (select ${list} from ${rows}) x offset 0)
    ${joinedSql} on true`);
  return sql`${joinedSql}.j`;
}

function requireReadableModel(ctx: Ctx, name: string): Model {
  const model = getModel(ctx, name);
  if (!canAccessModel(ctx, model, 'read')) throw new ResolversRequiredError(`${name} is out of reach`);
  return model;
}

function buildNestedList(
  writingStatement: TextStatement,
  source: ModelRows,
  item: ItemOf<'list'>,
  position: ResponsePosition,
): Sql {
  const { ctx, statement, variables } = writingStatement;
  const target = requireReadableModel(ctx, item.field.relation!);
  const args = item.readArgs(variables);
  if (hasTextSearch(args.where)) throw new ResolversRequiredError('a search');
  const request = buildPageRequest(ctx, target, args);
  const activeCtx = withArchived(ctx, request.archived);
  const query = { field: item.field, domain: request.domain };
  const times = position.times * (request.size + 1);
  if (hasRows(item.list)) enforceRecordLimit(writingStatement, times);
  const connection = buildConnectionSql(item.list, request, {
    select: (rows, items, joins) =>
      buildSelectSql(writingStatement, rows, items, { times, nested: true }, joins),
    total: () =>
      sql`(select count(*)::int from ${buildFilteredListSql(activeCtx, statement, source, query)})`,
    page(limit) {
      const listed = buildListSource(activeCtx, statement, source, query);
      const page = { ...request.page, limit };
      return {
        source: listed.target,
        from: buildListRowsSql(statement, listed, page),
        place: () => buildPagePositionSql(statement, listed.target, page),
      };
    },
  });
  return sql`(select row_to_json(c.*) from (${connection}) c)`;
}

/**
 * Counts records toward the limit. The resolvers count actual records, whereas the text path requires that even their
 * maximum number is within the limit.
 */
function enforceRecordLimit({ spent }: TextStatement, records: number): void {
  spent.records += records;
  if (spent.records > limits.graphql.rows) throw new ResolversRequiredError('lists that may be long');
}
