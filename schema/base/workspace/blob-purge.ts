import { collectBlobs } from '../../../src/db/blobs/collect.ts';
import { sql } from '../../../src/db/sql.ts';
import {
  type DueWorkspace,
  findDueWorkspaces,
  reschedule,
  writeDueTime,
} from '../../../src/engine/work/due.ts';
import { defineJob, type JobHost } from '../../../src/engine/work/jobs.ts';
import { onSweep } from '../../../src/engine/work/sweep.ts';

const BLOB_PURGE_KIND = 'blobs';

const WORKSPACE_BATCH_SIZE = 50;
const MAX_CONCURRENT_WORKSPACES = 4;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

defineJob({ name: 'blob-purge', cron: '*/10 * * * *', run: purgeBlobs });

async function purgeBlobs(host: JobHost): Promise<void> {
  const failed: number[] = [];
  for (;;) {
    const due = await findDueWorkspaces(host.db, BLOB_PURGE_KIND, WORKSPACE_BATCH_SIZE, failed);
    for (let from = 0; from < due.length; from += MAX_CONCURRENT_WORKSPACES)
      await Promise.all(
        due.slice(from, from + MAX_CONCURRENT_WORKSPACES).map((item) =>
          purgeWorkspaceBlobs(host, item).catch((error) => {
            failed.push(item.workspace_id);
            host.log.warn(
              { err: error, workspace: item.workspace_id },
              'could not delete unused blobs; retrying in ten minutes',
            );
          }),
        ),
      );
    if (due.length < WORKSPACE_BATCH_SIZE) return;
  }
}

/**
 * Deletes a workspace's unused blobs. Runs again after about a day, or after an hour if blobs were marked as unused.
 */
async function purgeWorkspaceBlobs({ db, config }: JobHost, due: DueWorkspace): Promise<void> {
  const workspace = { id: due.workspace_id };
  const isMarked = await collectBlobs({ db, workspace, runtime: { config } });
  const seconds = isMarked ? HOUR_SECONDS : DAY_SECONDS * (0.75 + Math.random() / 2);
  await reschedule(db, BLOB_PURGE_KIND, due, new Date(Date.now() + seconds * 1_000).toISOString());
}

/** Schedules a workspace's first run a day after the sweep finds its first blob. */
onSweep(async (db, workspaceId) => {
  const [planned] = await db.rows(
    sql`select 1 from svc_due d where d.workspace_id = ${workspaceId} and d.kind = ${BLOB_PURGE_KIND}`,
  );
  if (planned) return;
  const [first] = await db.rows(sql`select 1 from svc_blob b where b.workspace_id = ${workspaceId} limit 1`);
  if (first) await writeDueTime(db, workspaceId, BLOB_PURGE_KIND, DAY_SECONDS * 1000);
});
