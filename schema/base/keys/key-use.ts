import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Caller } from '../../../src/engine/ctx/runtime.ts';

/** Skips keys that have been deleted in the meantime. */
export async function recordKeyUse(db: Database, callers: Caller[]): Promise<void> {
  for (const [workspaceId, workspaceCallers] of Map.groupBy(callers, ({ workspace }) => workspace.id)) {
    const workspace = sql.param(workspaceId);
    await db.rows(
      sql`insert into svc_api_key_use (workspace_id, key_id, used_at)
       select k.workspace_id, k.id, now() from svc_api_key k
       where k.workspace_id = ${workspace} and k.id = any(${workspaceCallers.map(({ principal }) => principal.keyId)})
       order by k.id
       on conflict (workspace_id, key_id) do update set used_at = excluded.used_at
         where svc_api_key_use.used_at < excluded.used_at - interval '30 seconds'`,
    );
  }
}
