import { type Sql, sql } from '../../db/sql.ts';
import type { Ctx } from './ctx.ts';

export const queryByKey = <R extends Record<string, unknown>>(ctx: Ctx, statement: Sql): Promise<R[]> =>
  planByKey(ctx, () => ctx.db.rows<R>(statement));

/**
 * Runs joins by key with generic plans. Must be called in a transaction. For a workspace that is missing from the
 * statistics, PostgreSQL would otherwise expect a single row and scan all rows of the workspace for each lookup. Citus
 * always plans for the given workspace, so its plan mode is left unchanged.
 */
export async function planByKey<T>(ctx: Ctx, run: () => Promise<T>): Promise<T> {
  await ctx.db.rows(
    sql`select set_config('plan_cache_mode', 'force_generic_plan', true)
      where to_regclass('pg_catalog.pg_dist_partition') is null`,
  );
  const result = await run();
  await ctx.db.rows(sql`select set_config('plan_cache_mode', 'auto', true)`);
  return result;
}
