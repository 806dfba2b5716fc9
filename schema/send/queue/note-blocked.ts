import { NOW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { findDue } from '../../../src/engine/work/due.ts';
import { editEmails } from '../state/move-emails.ts';
import { BULK, MAIL } from '../state/queues.ts';
import { isLocked, QUEUED } from '../state/state-sql.ts';

/** Emails of one workspace, and workspaces, to which it is said at one time. */
const MOST = sql.literal(1000);
const WORKSPACES = 200;

/** Says on due mail why it waits; the worker leaves it in the queue meanwhile. */
export async function noteBlocked(db: Database, reason: string): Promise<void> {
  const due = [...(await findDue(db, MAIL, WORKSPACES)), ...(await findDue(db, BULK, WORKSPACES))];
  for (const workspaceId of new Set(due.map((each) => each.workspace_id))) {
    const workspace = sql.param(workspaceId);
    await db.rows(
      editEmails({
        set: sql`reason = ${reason}, write_date = now()`,
        which: isLocked(
          workspace,
          sql`select m.id from svc_email m
            where m.workspace_id = ${workspace} and ${QUEUED} and m.run_at <= ${NOW} and m.reason is null
            limit ${MOST} for update skip locked`,
        ),
      }),
    );
  }
}
