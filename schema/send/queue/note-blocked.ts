import { NOW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { QUEUED } from '../state/waiting.ts';

const MOST = 1_000;

/** Says on due mail why it waits; the worker leaves it in the queue meanwhile. */
export async function noteBlocked(db: Database, reason: string): Promise<void> {
  await db.rows(
    `update svc_email m set reason = $1, write_date = now() from (
       select workspace_id, id from svc_email
       where workspace_id > 0 and ${QUEUED} and run_at <= ${NOW} and reason is null limit ${MOST} for update skip locked
     ) waits where m.workspace_id = waits.workspace_id and m.id = waits.id`,
    [reason],
  );
}
