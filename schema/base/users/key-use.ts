import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Caller } from '../../../src/engine/ctx/runtime.ts';

/** Notes that the callers' keys are used now; a key that is gone meanwhile is left out. */
export async function noteKeyUse(db: Database, callers: Caller[]): Promise<void> {
  const now = Date.now();
  const used = sql`${timeText(now)}::timestamp`;
  const before = sql`${timeText(now - PAUSE)}::timestamp`;
  for (const [workspaceId, its] of Map.groupBy(callers, ({ workspace }) => workspace.id)) {
    const keys = its.map(({ principal }) => principal.keyId);
    await db.rows(
      sql`insert into svc_api_key_use (workspace_id, key_id, used_at)
       select ${workspaceId}::int, k.id, ${used} from svc_api_key k
       where k.workspace_id = ${workspaceId} and k.id = any(${keys}) order by k.id
       on conflict (workspace_id, key_id) do update set used_at = excluded.used_at
         where svc_api_key_use.used_at < ${before}`,
    );
  }
}

const PAUSE = 30_000;

/** The column has no zone, and holds UTC. */
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 23);
