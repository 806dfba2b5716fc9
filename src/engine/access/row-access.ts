import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model, Operation } from '../model/model.ts';
import { sourceSql } from '../sql/columns.ts';
import { rowsOf } from '../sql/statement.ts';
import { whereSql } from '../sql/where.ts';
import { mayModel, ruleOf } from './access.ts';
import { modelOf, newStatement } from './reader.ts';

/** @throws USER_ERROR for more ids than one call may have */
export function refuseMany(ids: number[]): void {
  if (ids.length > limits.domain.values) throw errors.tooManyRecords(ids.length);
}

/** How firmly rows are locked: against deletion, against changes, against links to them as well. */
export type Lock = keyof typeof LOCKS;

const LOCKS = {
  'key share': sql` order by t.id for key share of t`,
  'no key update': sql` order by t.id for no key update of t`,
  update: sql` order by t.id for update of t`,
};

/** Rows that are in part everybody's cannot be locked. */
export const lockSql = (model: Model, lock: Lock | undefined): Sql =>
  lock && !model.options.sharedTable ? LOCKS[lock] : sql.empty;

/**
 * Makes sure that the rules allow the principal `operation` on every existing row of `ids`.
 * Rows of another workspace do not exist.
 * @param lock keeps others from changing or deleting them until the transaction ends; in the order of ids, so that
 * two callers do not wait for each other
 * @returns the ids that exist
 * @throws ACCESS_ERROR
 */
export async function checkRows(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: Operation,
  lock?: Lock,
): Promise<number[]> {
  const rows = await rulesOn(ctx, model, ids, operation, lock);
  if (rows.some((row) => !row.allowed)) throw refusedRows(ctx, model, operation);
  return rows.map((row) => row.id);
}

/** Those of `ids` that exist and on which the rules allow `operation`. @param lock as checkRows has it */
export async function allowedIds(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: Operation,
  lock?: Lock,
): Promise<number[]> {
  const rows = await rulesOn(ctx, model, ids, operation, lock);
  return rows.filter(({ allowed }) => allowed).map(({ id }) => id);
}

async function rulesOn(ctx: Ctx, model: Model, ids: number[], operation: Operation, lock?: Lock) {
  refuseMany(ids);
  const statement = newStatement(ctx);
  const source = rowsOf(model);
  const rule = ruleOf(ctx, model, operation);
  const allowed = rule ? sql`(${whereSql(statement, source, rule)}) is true` : sql`true`;
  return ctx.db.rows<{ id: number; allowed: boolean }>(
    sql`select t.id, ${allowed} as allowed from ${sourceSql(statement, source)}
     and t.id = any(${ids})${lockSql(model, lock)}`,
  );
}

/** All of `ids` must exist and be allowed, as checkRows has it. @throws MISSING, ACCESS_ERROR */
export async function checkThere(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: Operation,
  lock?: Lock,
): Promise<void> {
  const found = new Set(await checkRows(ctx, model, ids, operation, lock));
  const absent = ids.filter((id) => !found.has(id));
  if (absent.length) throw errors.missing(model.name, absent, ctx.principal?.userId);
}

/**
 * Those of `ids` that the principal may read, for code that would otherwise reveal the others. Who runs as the
 * platform may read all; one query, and none when no rule binds the principal.
 */
export async function readableIds(ctx: Ctx, name: string, ids: number[]): Promise<number[]> {
  const model = modelOf(ctx, name);
  if (ids.length === 0 || !mayModel(ctx, model, 'read')) return [];
  const rule = ruleOf(ctx, model, 'read');
  if (!rule) return ids;
  const statement = newStatement(ctx);
  const source = rowsOf(model);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select t.id from ${sourceSql(statement, source)} and t.id = any(${ids})
     and (${whereSql(statement, source, rule)})`,
  );
  return rows.map((row) => row.id);
}

export const refusedRows = (ctx: Ctx, model: Model, operation: string) =>
  errors.recordAccess(operation, model.label, model.name, ctx.principal?.name ?? 'The caller');
