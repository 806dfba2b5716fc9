import { type Sql, sql } from '../../db/sql.ts';
import type { Ctx } from './ctx.ts';

/**
 * Runs a join by key with a generic plan. Must be called in a transaction. For a workspace that is missing from the
 * statistics, PostgreSQL would otherwise expect a single row and scan all rows of the workspace for each lookup. Citus
 * always plans for the given workspace, so its plan mode is left unchanged.
 */
export async function queryByKey<R extends Record<string, unknown>>(ctx: Ctx, statement: Sql): Promise<R[]> {
  await ctx.db.rows(
    sql`select set_config('plan_cache_mode', 'force_generic_plan', true)
      where to_regclass('pg_catalog.pg_dist_partition') is null`,
  );
  const rows = await ctx.db.rows<R>(statement);
  await ctx.db.rows(sql`select set_config('plan_cache_mode', 'auto', true)`);
  return rows;
}
