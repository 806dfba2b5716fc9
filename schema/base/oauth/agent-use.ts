import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import type { AgentUse } from '../../../src/engine/ctx/product.ts';

/** Skips agents that have been deleted in the meantime. */
export async function recordAgentUse(db: Database, uses: AgentUse[]): Promise<void> {
  for (const [workspaceId, batch] of Map.groupBy(uses, (use) => use.workspaceId)) {
    const workspace = sql.param(workspaceId);
    await db.rows(
      sql`insert into svc_connected_agent_use as u (workspace_id, agent_id, used_at, calls)
       select a.workspace_id, a.id, now(), n.calls
       from unnest(${batch.map(({ agentId }) => agentId)}::int[], ${batch.map(({ calls }) => calls)}::int[])
         n(id, calls)
       join svc_connected_agent a on a.workspace_id = ${workspace} and a.id = n.id
       order by a.id
       on conflict (workspace_id, agent_id) do update set used_at = excluded.used_at, calls = u.calls + excluded.calls`,
    );
  }
}
