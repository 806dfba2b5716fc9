import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { runInBatches } from '../../../src/engine/work/run-in-batches.ts';
import { limits } from '../../../src/limits.ts';
import { PAUSED_REASON } from '../state/email-state.ts';
import { editEmails } from '../state/move-emails.ts';
import { BULK_QUEUE } from '../state/queues.ts';
import { isInBatch, isLocked } from '../state/state-sql.ts';

// A pause or resume changes the campaign first and then its mail in batches, because a single transaction would block
// the recording of delivery events. A batch does nothing if the campaign has changed in the meantime.

export const buildQueuedCondition = (workspaceId: number, id: number): Sql =>
  sql`m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and m.state = 'queued'`;

export async function hasMail(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const rows = await db.rows(
    sql`select 1 from svc_email m where ${buildQueuedCondition(workspaceId, id)} and m.run_at < 'infinity' limit 1`,
  );
  return rows.length > 0;
}

/** Locks the status until the batch ends. */
const isPaused = (workspaceId: number, id: number): Sql => sql`coalesce((select c.status from svc_campaign c
  where c.workspace_id = ${workspaceId} and c.id = ${id} for key share) = 'PAUSED', false)`;

/**
 * Holds a paused campaign's mail until it is resumed. Skips locked emails, because the worker that is claiming them
 * will hold them.
 */
export const holdCampaignMail = (db: Db, workspaceId: number, id: number): Promise<number> =>
  updateMailTimes(
    db,
    sql`run_at = 'infinity'`,
    isLocked(
      workspaceId,
      sql`select m.id from svc_email m where ${buildQueuedCondition(workspaceId, id)} and m.run_at < 'infinity'
        and ${isPaused(workspaceId, id)} limit ${sql.literal(limits.sql.batchRows)} for no key update skip locked`,
    ),
  );

/** Makes held mail due. Its delivery period starts now, because the time on hold does not count. */
export async function releaseCampaignMail(db: Db, workspaceId: number, id: number): Promise<void> {
  await updateMailTimes(
    db,
    sql`run_at = now(), scheduled_at = now(), reason = nullif(m.reason, ${PAUSED_REASON})`,
    isInBatch(
      workspaceId,
      sql`${buildQueuedCondition(workspaceId, id)} and m.run_at = 'infinity' and not ${isPaused(workspaceId, id)}`,
    ),
  );
  scheduleDueWork(db, workspaceId, BULK_QUEUE);
}

/** @param condition condition on `m` that selects one batch, and no longer matches emails after their update */
const updateMailTimes = (db: Db, set: Sql, condition: Sql): Promise<number> =>
  runInBatches(
    db,
    sql`with changed as (${editEmails({ set, condition, returning: sql`1` })})
       select count(*)::int as n from changed`,
  );

/** Releases the remaining mail if a resume was interrupted. */
export const RELEASE_JOB = 'campaign-release';

export interface ReleaseJob {
  workspaceId: number;
  id: number;
}

defineJob({
  name: RELEASE_JOB,
  run: ({ db }, data) => {
    const { workspaceId, id } = data as ReleaseJob;
    return releaseCampaignMail(db, workspaceId, id);
  },
});
