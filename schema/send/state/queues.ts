import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { type DueTime, scheduleDue } from '../../../src/engine/work/due.ts';
import { onSweep } from '../../../src/engine/work/sweep.ts';

/** The two queues of emails, as kinds of what is due: mail of campaigns, and all other. */
export const MAIL = 'mail';
export const BULK = 'bulk';
export type Queue = typeof MAIL | typeof BULK;

/** Notes that an email of a workspace waits, of which it is not known whether it is of a campaign. */
export function noteQueued(db: Db, workspaceId: number, when: DueTime = {}): void {
  scheduleDue(db, workspaceId, MAIL, when);
  scheduleDue(db, workspaceId, BULK, when);
}

onSweep(async (db, workspaceId) => {
  const [next] = await db.rows<Record<Queue, string | null>>(
    sql`select ${firstOf(sql`e.campaign_id is null`, workspaceId)} as ${sql.id(MAIL)},
       ${firstOf(sql`e.campaign_id is not null`, workspaceId)} as ${sql.id(BULK)}`,
  );
  for (const queue of [MAIL, BULK] as const) {
    const at = next![queue];
    if (at) scheduleDue(db, workspaceId, queue, { at: `${at.replace(' ', 'T')}Z` });
  }
});

const firstOf = (queue: Sql, workspaceId: number): Sql => sql`(select e.run_at from svc_email e
  where e.workspace_id = ${workspaceId} and e.state = 'queued' and ${queue} and e.run_at < 'infinity'
  order by e.run_at limit 1)`;
