import { runRemoval } from '../../schema/base/apps/removal.ts';
import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';

/** Completes removals that the request did not finish, as a worker does. */
export async function endRemovals({ runtime, workspace }: Ctx): Promise<void> {
  const removals = await runtime.db.rows<{ name: string }>(
    sql`select name from svc_app_removal where workspace_id = ${workspace.id} order by started_at`,
  );
  for (const { name } of removals) await runRemoval(runtime.db, { workspaceId: workspace.id, name });
}
