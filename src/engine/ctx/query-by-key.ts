import { type Sql, sql } from '../../db/sql.ts';
import type { Ctx } from './ctx.ts';

/**
 * Runs a statement of a transaction that looks up rows for rows, planned for any workspace. Planned for one that the
 * statistics do not know, Postgres expects a single row of it, and reads all of them for each row it looks up. Citus,
 * which plans for the given workspace alone, is left alone.
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
