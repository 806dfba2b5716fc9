import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** Omits groups that the workspace does not have. */
export async function loadGroupIds(ctx: Ctx, externalIds: string[]): Promise<Map<string, number>> {
  const rows = await ctx.db.rows<{ external_id: string; id: number }>(
    sql`select external_id, id from res_groups
     where workspace_id = ${ctx.workspace.id} and external_id = any(${externalIds})`,
  );
  return new Map(rows.map((row) => [row.external_id, row.id]));
}
