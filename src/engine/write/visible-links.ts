import { sql } from '../../db/sql.ts';
import { eachInTurns } from '../../loop/others-first.ts';
import { checkModel, mayModel, ruleOf } from '../access/access.ts';
import { modelOf, newStatement } from '../access/reader.ts';
import { checkRows, readableIds } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { columnSql, sourceSql } from '../sql/columns.ts';
import { rowsOf } from '../sql/statement.ts';
import { whereSql } from '../sql/where.ts';
import { isOwnValue } from './values.ts';

/**
 * A record shows the name of what its many2one leads to, so to set one takes the right to read that record, or another
 * record of the model that shows the name already. Asks the database only where a right or rule limits the
 * caller.
 * @param list values as the caller gave them
 * @throws ACCESS_ERROR
 */
export async function checkVisibleLinks(ctx: Ctx, model: Model, list: unknown[]): Promise<void> {
  if (ctx.sudo || ctx.principal === null) return;
  const wanted = new Map<Field, Set<number>>();
  await eachInTurns(list, (values) => collect(ctx, model, Object(values), wanted));
  for (const [field, ids] of wanted) await checkVisible(ctx, model, field, [...ids]);
}

function collect(ctx: Ctx, model: Model, values: Values, wanted: Map<Field, Set<number>>): void {
  for (const name in values) {
    const id = values[name];
    if (typeof id !== 'number') continue;
    const field = model.fields.get(name);
    if (field?.type !== 'many2one' || isOwnValue(values, name) || isOpen(ctx, field)) continue;
    wanted.set(field, (wanted.get(field) ?? new Set()).add(id));
  }
}

/** Whether the caller may read whatever the field leads to. Names of models are no secret. */
function isOpen(ctx: Ctx, { relation }: Field): boolean {
  const target = modelOf(ctx, relation!);
  return (
    target.options.sharedTable !== undefined ||
    (mayModel(ctx, target, 'read') && ruleOf(ctx, target, 'read') === null)
  );
}

async function checkVisible(ctx: Ctx, model: Model, field: Field, ids: number[]): Promise<void> {
  const target = modelOf(ctx, field.relation!);
  const readable = new Set(await readableIds(ctx, target.name, ids));
  const others = ids.filter((id) => !readable.has(id));
  if (others.length === 0) return;
  const shown = new Set(await shownBy(ctx, model, field, others));
  const hidden = others.filter((id) => !shown.has(id));
  if (hidden.length === 0) return;
  checkModel(ctx, target, 'read');
  // What is absent is refused when it is stored.
  await checkRows(ctx, target, hidden, 'read');
}

/** Those of `ids` that the field of a record leads to which the caller may read. */
async function shownBy(ctx: Ctx, model: Model, field: Field, ids: number[]): Promise<number[]> {
  if (!mayModel(ctx, model, 'read')) return [];
  const statement = newStatement(ctx);
  const source = rowsOf(model);
  const link = columnSql(statement, source, field);
  const rule = ruleOf(ctx, model, 'read');
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select distinct ${link} as id from ${sourceSql(statement, source)} and ${link} = any(${ids})
     ${rule ? sql`and (${whereSql(statement, source, rule)})` : sql.empty}`,
  );
  return rows.map((row) => row.id);
}
