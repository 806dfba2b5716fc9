import { sql } from '../../../db/sql.ts';
import { forEachYielding } from '../../../loop/yield.ts';
import { assertModelAccess, canAccessModel, getRuleTree } from '../../access/access.ts';
import { createStatement, getModel } from '../../access/create-statement.ts';
import { assertRowsAllowed, filterReadableIds } from '../../access/row-access.ts';
import type { Ctx } from '../../ctx/ctx.ts';
import type { Field } from '../../model/field.ts';
import type { Model, Values } from '../../model/model.ts';
import { buildColumnSql, buildSourceSql } from '../../sql/columns.ts';
import { getMainSource } from '../../sql/statement.ts';
import { buildWhereSql } from '../../sql/where.ts';
import { isHookValue } from '../values.ts';

/**
 * Checks that the caller may set the links in the values. A record shows the display name of a linked record, so the
 * caller must be allowed to read the target, or a readable record of the model must already show the name. Queries the
 * database only if a right or rule restricts the caller.
 * @param list values as sent by the caller
 * @throws ACCESS_ERROR
 */
export async function assertVisibleLinks(ctx: Ctx, model: Model, list: unknown[]): Promise<void> {
  if (ctx.sudo || ctx.principal === null) return;
  const idsByField = new Map<Field, Set<number>>();
  await forEachYielding(list, (values) => collectLinks(ctx, model, Object(values), idsByField));
  for (const [field, ids] of idsByField) await assertVisible(ctx, model, field, [...ids]);
}

function collectLinks(ctx: Ctx, model: Model, values: Values, idsByField: Map<Field, Set<number>>): void {
  for (const name in values) {
    const id = values[name];
    if (typeof id !== 'number') continue;
    const field = model.fields.get(name);
    if (field?.type !== 'many2one' || isHookValue(values, name) || isFullyReadable(ctx, field)) continue;
    idsByField.set(field, (idsByField.get(field) ?? new Set<number>()).add(id));
  }
}

/**
 * Returns true if the caller may read every record that the field can reference. Shared rows, such as model names, are
 * not secret.
 */
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
  const otherIds = ids.filter((id) => !readable.has(id));
  if (otherIds.length === 0) return;
  const visibleIds = new Set(await findShownIds(ctx, model, field, otherIds));
  const hiddenIds = otherIds.filter((id) => !visibleIds.has(id));
  if (hiddenIds.length === 0) return;
  assertModelAccess(ctx, target, 'read');
  // Missing records are rejected later, when the link is stored.
  await assertRowsAllowed(ctx, target, hiddenIds, 'read');
}

/** Returns the ids that the field already shows in records that the caller may read. */
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
