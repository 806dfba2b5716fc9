import { sql } from '../../db/sql.ts';
import { forEachYielding } from '../../loop/yield.ts';
import { assertModelAccess, canAccessModel, getRuleTree } from '../access/access.ts';
import { createStatement, getModel } from '../access/create-statement.ts';
import { assertRowsAllowed, filterReadableIds } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { buildColumnSql, buildSourceSql } from '../sql/columns.ts';
import { getMainSource } from '../sql/statement.ts';
import { buildWhereSql } from '../sql/where.ts';
import { isOwnValue } from './values.ts';

/**
 * A record shows the name of what its many2one leads to, so to set one takes the right to read that record, or another
 * record of the model that shows the name already. Asks the database only where a right or rule limits the
 * caller.
 * @param list values as the caller gave them
 * @throws ACCESS_ERROR
 */
export async function assertVisibleLinks(ctx: Ctx, model: Model, list: unknown[]): Promise<void> {
  if (ctx.sudo || ctx.principal === null) return;
  const wanted = new Map<Field, Set<number>>();
  await forEachYielding(list, (values) => collectLinks(ctx, model, Object(values), wanted));
  for (const [field, ids] of wanted) await assertVisible(ctx, model, field, [...ids]);
}

function collectLinks(ctx: Ctx, model: Model, values: Values, wanted: Map<Field, Set<number>>): void {
  for (const name in values) {
    const id = values[name];
    if (typeof id !== 'number') continue;
    const field = model.fields.get(name);
    if (field?.type !== 'many2one' || isOwnValue(values, name) || isFullyReadable(ctx, field)) continue;
    wanted.set(field, (wanted.get(field) ?? new Set()).add(id));
  }
}

/** Whether the caller may read whatever the field leads to. Names of models are no secret. */
function isFullyReadable(ctx: Ctx, { relation }: Field): boolean {
  const target = getModel(ctx, relation!);
  return (
    target.options.sharedTable !== undefined ||
    (canAccessModel(ctx, target, 'read') && getRuleTree(ctx, target, 'read') === null)
  );
}

async function assertVisible(ctx: Ctx, model: Model, field: Field, ids: number[]): Promise<void> {
  const target = getModel(ctx, field.relation!);
  const readable = new Set(await filterReadableIds(ctx, target.name, ids));
  const others = ids.filter((id) => !readable.has(id));
  if (others.length === 0) return;
  const shown = new Set(await findShownIds(ctx, model, field, others));
  const hidden = others.filter((id) => !shown.has(id));
  if (hidden.length === 0) return;
  assertModelAccess(ctx, target, 'read');
  // What is absent is refused when it is stored.
  await assertRowsAllowed(ctx, target, hidden, 'read');
}

/** Those of `ids` that the field of a record leads to which the caller may read. */
async function findShownIds(ctx: Ctx, model: Model, field: Field, ids: number[]): Promise<number[]> {
  if (!canAccessModel(ctx, model, 'read')) return [];
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  const link = buildColumnSql(statement, source, field);
  const rule = getRuleTree(ctx, model, 'read');
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select distinct ${link} as id from ${buildSourceSql(statement, source)} and ${link} = any(${ids})
     ${rule ? sql`and (${buildWhereSql(statement, source, rule)})` : sql.empty}`,
  );
  return rows.map((row) => row.id);
}
