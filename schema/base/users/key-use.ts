import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Caller } from '../../../src/engine/ctx/runtime.ts';

/** Notes that the callers' keys are used now; a key that is gone meanwhile is left out. */
export async function noteKeyUse(db: Database, callers: Caller[]): Promise<void> {
  const workspaces = callers.map(({ workspace }) => workspace.id);
  const keys = callers.map(({ principal }) => principal.keyId);
  await db.rows(
    sql`insert into svc_api_key_use (workspace_id, key_id, used_at)
     select k.workspace_id, k.id, now() from svc_api_key k
     where (k.workspace_id, k.id) in (select * from unnest(${workspaces}::int[], ${keys}::int[]))
     order by k.workspace_id, k.id
     on conflict (workspace_id, key_id) do update set used_at = excluded.used_at
       where svc_api_key_use.used_at < now() - interval '30 seconds'`,
  );
}
