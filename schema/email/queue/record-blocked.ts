import { NOW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { findDueWorkspaces } from '../../../src/engine/work/due.ts';
import { editEmails } from '../state/move-emails.ts';
import { BULK_QUEUE, MAIL_QUEUE } from '../state/queues.ts';
import { IS_QUEUED, isLocked } from '../state/state-sql.ts';

const MAX_EMAILS_PER_PASS = sql.literal(1000);
const MAX_WORKSPACES = 200;

/** Stores why due emails are waiting, unless they have a reason already. */
export async function recordBlockedReason(db: Database, reason: string): Promise<void> {
  const due = [
    ...(await findDueWorkspaces(db, MAIL_QUEUE, MAX_WORKSPACES)),
    ...(await findDueWorkspaces(db, BULK_QUEUE, MAX_WORKSPACES)),
  ];
  for (const workspaceId of new Set(due.map((item) => item.workspace_id))) {
    const workspace = sql.param(workspaceId);
    await db.rows(
      editEmails({
        set: sql`reason = ${reason}, write_date = now()`,
        condition: isLocked(
          workspace,
          sql`select m.id from svc_email m
            where m.workspace_id = ${workspace} and ${IS_QUEUED} and m.run_at <= ${NOW} and m.reason is null
            limit ${MAX_EMAILS_PER_PASS} for update skip locked`,
        ),
      }),
    );
  }
}
