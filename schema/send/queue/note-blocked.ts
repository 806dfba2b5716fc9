import { NOW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { editEmails } from '../state/move-emails.ts';
import { QUEUED, sameEmail } from '../state/state-sql.ts';

const MOST = sql.literal(1000);

const DUE = sql`(select m.workspace_id, m.id from svc_email m
  where m.workspace_id > 0 and ${QUEUED} and m.run_at <= ${NOW} and m.reason is null
  limit ${MOST} for update skip locked) due`;

/** Says on due mail why it waits; the worker leaves it in the queue meanwhile. */
export async function noteBlocked(db: Database, reason: string): Promise<void> {
  await db.rows(
    editEmails({
      set: sql`reason = ${reason}, write_date = now()`,
      source: DUE,
      which: sameEmail('due'),
    }),
  );
}
