import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { createStatement } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { isListField } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { buildColumnSql, buildSourceSql } from '../sql/columns.ts';
import { buildOrderBy } from '../sql/order.ts';
import { buildListedSql } from '../sql/projection.ts';
import { addSource, getMainSource, type ModelRows, type Statement } from '../sql/statement.ts';
import { buildRuleSql } from '../sql/where.ts';
import type { NestedSelect, SelectList } from './select-list.ts';

/** Maximum number of nested lists in a specification. A list is nested if it is inside another relation. */
const MAX_NESTED_LISTS = 50;
const MAX_NESTED_ROWS = 50_000;

/** Builds the `from` clause of the top-level rows, which have the alias `t`. */
type RootsSqlBuilder = (statement: Statement) => Sql;

/**
 * Counts the records in nested lists before they are read, because their number multiplies with each level. Top-level
 * lists contain each link only once. Counting stops at the limit.
 * @throws BAD_VALUE if the limit is exceeded
 */
export async function assertNestedRowCount(
  ctx: Ctx,
  model: Model,
  fields: SelectList,
  roots: RootsSqlBuilder,
): Promise<void> {
  const paths = findDeepLists(fields);
  if (paths.length === 0) return;
  if (paths.length > MAX_NESTED_LISTS)
    throw errors.badValue(`the specification has more than ${MAX_NESTED_LISTS} nested lists`);
  const statement = createStatement(ctx, { archived: !ctx.context.activeTest });
  statement.checkModel(model);
  const countSelects = paths.map(
    (path) => sql`(select 1 from ${roots(statement)}${buildPathCountSql(statement, model, path)})`,
  );
  const count = await ctx.db.value<number>(
    sql`select count(*)::int from (${sql.join(countSelects, ' union all ')} limit ${MAX_NESTED_ROWS + 1}) c`,
  );
  if (count > MAX_NESTED_ROWS)
    throw errors.badValue(
      `the nested lists contain more than ${MAX_NESTED_ROWS} records: request fewer records or levels`,
    );
}

function findDeepLists(fields: SelectList, selects: NestedSelect[] = []): NestedSelect[][] {
  return fields.flatMap((item) => {
    if (typeof item === 'string') return [];
    const path = [...selects, item];
    const deepLists = findDeepLists(item.fields, path);
    return selects.length > 0 && isListField(item.relation) ? [path, ...deepLists] : deepLists;
  });
}

function buildPathCountSql(statement: Statement, model: Model, path: NestedSelect[]): Sql {
  let source = getMainSource(model);
  const steps = path.map((step, index) => {
    const targetRows = addSource(statement, statement.registry.get(step.relation.relation!)!);
    statement.checkModel(targetRows.model);
    const rows = buildNestedRowsSql(statement, source, targetRows, step);
    const isLast = index === path.length - 1;
    const page = isLast || !step.limit ? sql.empty : buildNestedPageSql(statement, targetRows, step);
    source = targetRows;
    return sql` cross join lateral (select ${targetRows.row}.* from ${rows}${page}) ${targetRows.row}`;
  });
  return sql.join(steps, '');
}

function buildNestedRowsSql(
  statement: Statement,
  source: ModelRows,
  targetRows: ModelRows,
  { relation, archived }: NestedSelect,
): Sql {
  if (isListField(relation))
    return buildListedSql(statement, source, {
      field: relation,
      target: targetRows,
      archived: archived || statement.archived,
    });
  const link = sql`${targetRows.row}.id = ${buildColumnSql(statement, source, relation)}`;
  return sql`${buildSourceSql(statement, targetRows)} and ${link}${buildRuleSql(statement, targetRows)}`;
}

/** Excludes records beyond the list's limit, because they are returned only with their ids. */
const buildNestedPageSql = (
  statement: Statement,
  targetRows: ModelRows,
  { order, limit }: NestedSelect,
): Sql =>
  sql` order by ${buildOrderBy(statement, targetRows, order || targetRows.model.order)} limit ${limit}`;
