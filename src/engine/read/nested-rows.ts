import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { newStatement } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { isList } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { columnSql, sourceSql } from '../sql/columns.ts';
import { orderSql } from '../sql/order.ts';
import { listedSql } from '../sql/projection.ts';
import { otherRows, rowsOf, type Source, type Statement } from '../sql/statement.ts';
import { ruleSql } from '../sql/where.ts';
import type { NestedSelect, SelectList } from './select-list.ts';

/** The rows at the top, as `from` of the alias `t`. */
type Roots = (statement: Statement) => Sql;

/**
 * Counts the records in lists below other relations before they are read: such lists multiply, where a list of the rows
 * themselves holds each link once. Counting ends at the limit.
 * @throws BAD_VALUE above the limit
 */
export async function checkNestedRows(
  ctx: Ctx,
  model: Model,
  fields: SelectList,
  roots: Roots,
): Promise<void> {
  const paths = deepLists(fields);
  if (paths.length === 0) return;
  if (paths.length > limits.record.nestedLists)
    throw errors.badValue(`the specification has over ${limits.record.nestedLists} nested lists`);
  const statement = newStatement(ctx, { archived: !ctx.context.activeTest });
  statement.checkModel(model);
  const each = paths.map(
    (path) => sql`(select 1 from ${roots(statement)}${pathSql(statement, model, path)})`,
  );
  const most = limits.record.nestedRows;
  const [found] = await ctx.db.rows<{ n: number }>(
    sql`select count(*)::int as n from (${sql.join(each, ' union all ')} limit ${most + 1}) c`,
  );
  if (found!.n > most)
    throw errors.badValue(`the nested lists hold over ${most} records: ask for fewer records or levels`);
}

/** The ways to lists that are not those of the rows themselves. */
function deepLists(fields: SelectList, above: NestedSelect[] = []): NestedSelect[][] {
  return fields.flatMap((item) => {
    if (typeof item === 'string') return [];
    const path = [...above, item];
    const deeper = deepLists(item.fields, path);
    return above.length > 0 && isList(item.relation) ? [path, ...deeper] : deeper;
  });
}

function pathSql(statement: Statement, model: Model, path: NestedSelect[]): Sql {
  let source = rowsOf(model);
  const steps = path.map((step, index) => {
    const far = otherRows(statement, statement.registry.get(step.relation.relation!)!);
    statement.checkModel(far.model);
    const rows = rowsSql(statement, source, far, step);
    const isLast = index === path.length - 1;
    const page = isLast || !step.limit ? sql.empty : pageSql(statement, far, step);
    source = far;
    return sql` cross join lateral (select ${far.row}.* from ${rows}${page}) ${far.row}`;
  });
  return sql.join(steps, '');
}

function rowsSql(
  statement: Statement,
  source: Source,
  far: Source,
  { relation, archived }: NestedSelect,
): Sql {
  if (isList(relation))
    return listedSql(statement, source, { field: relation, far, archived: archived || statement.archived });
  const link = sql`${far.row}.id = ${columnSql(statement, source, relation)}`;
  return sql`${sourceSql(statement, far)} and ${link}${ruleSql(statement, far)}`;
}

/** Records behind the limit of a list come with their ids alone. */
const pageSql = (statement: Statement, far: Source, { order, limit }: NestedSelect): Sql =>
  sql` order by ${orderSql(statement, far, order || far.model.order)} limit ${limit}`;
