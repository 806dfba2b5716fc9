import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { toIsoTime } from '../../../src/engine/value/instant.ts';
import { type DueTime, scheduleDueWork } from '../../../src/engine/work/due.ts';
import { onSweep } from '../../../src/engine/work/sweep.ts';

/** Kinds of due work in `svc_due`: campaign mail is `bulk`, all other mail is `mail`. */
export const MAIL_QUEUE = 'mail';
export const BULK_QUEUE = 'bulk';
export type Queue = typeof MAIL_QUEUE | typeof BULK_QUEUE;

/** Marks a workspace as due in both queues, if the emails may belong to either. */
export function scheduleMailDue(db: Db, workspaceId: number, dueTime: DueTime = {}): void {
  scheduleDueWork(db, workspaceId, MAIL_QUEUE, dueTime);
  scheduleDueWork(db, workspaceId, BULK_QUEUE, dueTime);
}

onSweep(async (db, workspaceId) => {
  const [next] = await db.rows<Record<Queue, string | null>>(
    sql`select ${selectFirstDue(sql`e.campaign_id is null`, workspaceId)} as ${sql.id(MAIL_QUEUE)},
       ${selectFirstDue(sql`e.campaign_id is not null`, workspaceId)} as ${sql.id(BULK_QUEUE)}`,
  );
  for (const queue of [MAIL_QUEUE, BULK_QUEUE] as const) {
    const at = next![queue];
    if (at) scheduleDueWork(db, workspaceId, queue, { at: toIsoTime(at) });
  }
});

const selectFirstDue = (queue: Sql, workspaceId: number): Sql => sql`(select e.run_at from svc_email e
  where e.workspace_id = ${workspaceId} and e.state = 'queued' and ${queue} and e.run_at < 'infinity'
  order by e.run_at limit 1)`;
