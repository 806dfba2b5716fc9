import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model } from '../model/model.ts';
import { scopeSql, tableOf } from '../sql/columns.ts';
import { param } from '../sql/statement.ts';
import { whereSql } from '../sql/where.ts';
import { mayModel, ruleOf } from './access.ts';
import { modelOf, newStatement } from './reader.ts';

/** @throws USER_ERROR for more ids than one call may have */
export function refuseMany(ids: number[]): void {
  if (ids.length > limits.domainValues) throw errors.tooManyRecords(ids.length);
}

/** How firmly rows are held: against deletion, against changes, against links to them as well. */
export type Hold = 'key share' | 'no key update' | 'update';

/** Rows that are in part everybody's cannot be held. */
export const holdSql = (model: Model, hold: Hold | undefined): string =>
  hold && !model.options.sharedTable ? ` order by t.id for ${hold} of t` : '';

/**
 * Makes sure that every existing row of `ids` is in reach of the principal for `operation`.
 * Rows of another workspace do not exist.
 * @param hold keeps others from changing or deleting them until the transaction ends; in the order of ids, so that
 * two callers do not wait for each other
 * @returns the ids that exist
 */
export async function checkRows(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: 'read' | 'write' | 'unlink' | 'create',
  hold?: Hold,
): Promise<number[]> {
  refuseMany(ids);
  const statement = newStatement(ctx);
  const list = param(statement, ids);
  const rule = ruleOf(ctx, model, operation);
  const allowed = rule ? `(${whereSql(statement, rule, 't', model)}) is true` : 'true';
  const text = `select t.id, ${allowed} as allowed from ${tableOf(model)} t where ${scopeSql(model, 't')} and t.id = any(${list})${holdSql(model, hold)}`;
  const rows = await ctx.db.rows<{ id: number; allowed: boolean }>(text, statement.params);
  if (rows.some((row) => !row.allowed)) throw refusedRows(ctx, model, operation);
  return rows.map((row) => row.id);
}

/** All of `ids` must exist and be in reach, as checkRows has it. @throws MISSING, ACCESS_ERROR */
export async function checkThere(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: 'read' | 'write' | 'unlink',
  hold?: Hold,
): Promise<void> {
  const found = new Set(await checkRows(ctx, model, ids, operation, hold));
  const absent = ids.filter((id) => !found.has(id));
  if (absent.length) throw errors.missing(model.name, absent);
}

/**
 * Those of `ids` that the principal may read, for code that would tell of the others on the way. Who runs as the
 * platform may read all; one query, and none when no rule binds the principal.
 */
export async function withinReach(ctx: Ctx, name: string, ids: number[]): Promise<number[]> {
  const model = modelOf(ctx, name);
  if (ids.length === 0 || !mayModel(ctx, model, 'read')) return [];
  const rule = ruleOf(ctx, model, 'read');
  if (!rule) return ids;
  const statement = newStatement(ctx);
  const list = param(statement, ids);
  const text = `select t.id from ${tableOf(model)} t where ${scopeSql(model, 't')} and t.id = any(${list})
    and (${whereSql(statement, rule, 't', model)})`;
  return (await ctx.db.rows<{ id: number }>(text, statement.params)).map((row) => row.id);
}

export const refusedRows = (ctx: Ctx, model: Model, operation: string) =>
  errors.recordAccess(operation, model.label, model.name, ctx.principal?.name ?? 'The caller');
