import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { AccessKind } from '../model/access-kind.ts';
import { VERSION_FIELD } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { buildColumnSql, buildSourceSql } from '../sql/columns.ts';
import { getMainSource } from '../sql/statement.ts';
import { buildWhereSql } from '../sql/where.ts';
import { excludeIds } from '../value/exclude-ids.ts';
import { canAccessModel, getRuleTree } from './access.ts';
import { createStatement, getModel } from './create-statement.ts';

/** @throws USER_ERROR if there are too many ids for one call */
export function assertIdCount(ids: number[]): void {
  if (ids.length > limits.domain.values) throw errors.tooManyRecords(ids.length);
}

/** `key share` prevents deletion, `no key update` also prevents updates, and `update` also prevents new references. */
type RowLock = keyof typeof LOCK_CLAUSES;

const LOCK_CLAUSES = {
  'key share': sql` order by t.id for key share of t`,
  'no key update': sql` order by t.id for no key update of t`,
  update: sql` order by t.id for update of t`,
};

/** A model with a shared table is read through a union, which cannot be locked. */
export const buildLockSql = (model: Model, lock: RowLock | undefined): Sql =>
  lock && !model.options.sharedTable ? LOCK_CLAUSES[lock] : sql.empty;

/**
 * Checks that the principal's rules allow `operation` on every existing row in `ids`. Rows of other workspaces count as
 * missing.
 * @param lock prevents other transactions from changing or deleting the rows until this transaction ends. Rows are
 * locked in id order to prevent deadlocks.
 * @returns the existing ids
 * @throws ACCESS_ERROR
 */
export async function assertRowsAllowed(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: AccessKind,
  lock?: RowLock,
): Promise<number[]> {
  return (await loadAllowedRows(ctx, model, ids, operation, lock)).map(({ id }) => id);
}

/**
 * Returns the existing ids on which the rules allow `operation`.
 * @param lock see assertRowsAllowed
 */
export async function filterAllowedIds(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: AccessKind,
  lock?: RowLock,
): Promise<number[]> {
  const rows = await loadRowRules(ctx, model, ids, operation, lock);
  return rows.filter(({ allowed }) => allowed).map(({ id }) => id);
}

/** @throws ACCESS_ERROR */
async function loadAllowedRows(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: AccessKind,
  lock?: RowLock,
): Promise<RowState[]> {
  const rows = await loadRowRules(ctx, model, ids, operation, lock);
  if (rows.some((row) => !row.allowed)) throw buildRowAccessError(ctx, model, operation);
  return rows;
}

interface RowState {
  id: number;
  allowed: boolean;
  /** Null if the model has no versions. */
  version: number | null;
}

async function loadRowRules(ctx: Ctx, model: Model, ids: number[], operation: AccessKind, lock?: RowLock) {
  assertIdCount(ids);
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  const rule = getRuleTree(ctx, model, operation);
  const allowedSql = rule ? sql`(${buildWhereSql(statement, source, rule)}) is true` : sql`true`;
  const versionField = model.fields.get(VERSION_FIELD);
  const version = versionField ? buildColumnSql(statement, source, versionField) : sql`null::int4`;
  return ctx.db.rows<RowState>(
    sql`select t.id, ${allowedSql} as allowed, ${version} as version from ${buildSourceSql(statement, source)}
     and t.id = any(${ids})${buildLockSql(model, lock)}`,
  );
}

/**
 * Like assertRowsAllowed, but also requires that all ids exist.
 * @throws MISSING, ACCESS_ERROR
 */
export async function assertRowsExist(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: AccessKind,
  lock?: RowLock,
): Promise<void> {
  assertNoneMissing(ctx, model, ids, await loadAllowedRows(ctx, model, ids, operation, lock));
}

/**
 * Checks that `rows` contains all of `ids`.
 * @throws MISSING
 */
export function assertNoneMissing(ctx: Ctx, model: Model, ids: number[], rows: { id: number }[]): void {
  const absentIds = excludeIds(
    ids,
    rows.map(({ id }) => id),
  );
  if (absentIds.length) throw errors.missing(model.name, absentIds, ctx.principal?.userId);
}

/**
 * Checks that all ids exist, may be written and have the expected versions. Locks the rows against other changes.
 * @throws MISSING, ACCESS_ERROR, STALE
 */
export async function assertRowsCurrent(
  ctx: Ctx,
  model: Model,
  ids: number[],
  versions: ReadonlyMap<number, number>,
): Promise<void> {
  const rows = await loadAllowedRows(ctx, model, ids, 'write', 'no key update');
  assertNoneMissing(ctx, model, ids, rows);
  const staleIds = rows.filter(({ id, version }) => version !== versions.get(id)).map(({ id }) => id);
  if (staleIds.length > 0) throw errors.staleRecord(model.name, staleIds);
}

/**
 * Returns the ids that the principal may read, for callers that must not reveal the others. Runs a query only if rules
 * restrict the principal.
 */
export async function filterReadableIds(ctx: Ctx, name: string, ids: number[]): Promise<number[]> {
  const model = getModel(ctx, name);
  if (ids.length === 0 || !canAccessModel(ctx, model, 'read')) return [];
  const rule = getRuleTree(ctx, model, 'read');
  if (!rule) return ids;
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select t.id from ${buildSourceSql(statement, source)} and t.id = any(${ids})
     and (${buildWhereSql(statement, source, rule)})`,
  );
  return rows.map((row) => row.id);
}

export const buildRowAccessError = (ctx: Ctx, model: Model, operation: string) =>
  errors.recordAccess(operation, model.label, model.name, ctx.principal?.name ?? 'The caller');
