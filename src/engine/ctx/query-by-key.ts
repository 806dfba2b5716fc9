import { type Sql, sql } from '../../db/sql.ts';
import type { Ctx } from './ctx.ts';

/**
 * Runs a statement that looks up rows for other rows within a transaction, with a generic plan. For a workspace that is
 * missing from the statistics, PostgreSQL would plan for a single row and scan all the workspace's rows for each
 * lookup. Citus, which always plans for the given workspace, keeps its plan mode.
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
