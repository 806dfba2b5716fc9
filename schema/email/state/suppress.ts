import type { Db } from '../../../src/db/db.ts';
import { NOW_ROW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';

export interface Suppression {
  /** Bare address in lower case. */
  email: string;
  /** Must be a value of the field `svc.suppression.reason`. */
  reason: string;
  /** Public id of the email that caused the suppression. */
  source: string | null;
  /** Number of days until the suppression expires. Null if it is permanent. */
  days: number | null;
}

/** Builds a statement that adds or extends entries. If an address occurs twice, the first permanent entry wins. */
export async function buildSuppressionsSql(
  db: Db,
  workspace: number,
  suppressions: readonly Suppression[],
): Promise<Sql> {
  const byEmail = new Map<string, Suppression>();
  for (const suppression of suppressions) {
    const earlier = byEmail.get(suppression.email);
    if (!earlier || (earlier.days !== null && suppression.days === null))
      byEmail.set(suppression.email, suppression);
  }
  const ids = await db.idAllocator.allocate(workspace, 'svc_suppression', byEmail.size);
  const rows = [...byEmail.values()].map((suppression, index) => ({ id: ids[index]!, ...suppression }));
  // Keeps permanent entries, and replaces a temporary entry by one that lasts longer. Reads the counter that assigned
  // the ids, because Citus routes an insert to the workspace's node if it reads the workspace from a row.
  return sql`insert into svc_suppression as m (workspace_id, id, email, reason, source, create_date, expires_at)
   select c.workspace_id, r.id, r.email, r.reason, r.source, n.now, n.now + make_interval(days => r.days)
   from json_to_recordset(${JSON.stringify(rows)}::json) r(id bigint, email text, reason text, source text,
     days int)
   join workspace_counter c on c.workspace_id = ${workspace} and c.name = 'svc_suppression', ${NOW_ROW}
   order by r.email
   on conflict (workspace_id, email) do update set reason = excluded.reason, source = excluded.source,
     create_date = excluded.create_date, expires_at = excluded.expires_at
   where m.expires_at < coalesce(excluded.expires_at, 'infinity')
   returning m.id`;
}

/** Adds or extends entries. @returns the number of entries that changed */
export async function suppress(
  db: Db,
  workspace: number,
  suppressions: readonly Suppression[],
): Promise<number> {
  if (suppressions.length === 0) return 0;
  return (await db.rows(await buildSuppressionsSql(db, workspace, suppressions))).length;
}
