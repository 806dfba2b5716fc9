import { toIsoSql } from '../../db/iso-sql.ts';
import { NOW } from '../../db/now.ts';
import type { Database } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { findDueWorkspaces, scheduleDueWork } from './due.ts';
import type { JobHost } from './jobs.ts';

type Sweeper = (db: Database, workspaceId: number) => Promise<void>;

const sweepers: Sweeper[] = [];

/** Registers a periodic check of each workspace, to find work whose note was lost in a crash. */
export function onSweep(sweeper: Sweeper): void {
  sweepers.push(sweeper);
}

/** Registers a periodic check that schedules work for the earliest time in a column of the workspace's rows. */
export function sweepDueTimes(kind: string, table: string, column: string, condition: Sql = sql`true`): void {
  onSweep(async (db, workspaceId) => {
    const [row] = await db.rows<{ at: string | null }>(
      sql`select ${toIsoSql(sql`min(${sql.id(column)})`)} as at from ${sql.id(table)}
       where workspace_id = ${workspaceId} and ${condition}`,
    );
    if (row?.at) scheduleDueWork(db, workspaceId, kind, { at: row.at });
  });
}

/** Kind of `svc_due` rows for sweeps. */
const SWEEP_KIND = 'sweep';

/**
 * Builds a statement that schedules a workspace's first sweep. It runs in the transaction that creates the workspace.
 */
export const buildSweepInsertSql = (workspaceId: number) =>
  sql`insert into svc_due (workspace_id, kind, next_at)
   values (${workspaceId}, ${SWEEP_KIND}, ${NOW} + make_interval(secs => ${SWEEP_INTERVAL_SECONDS}))
   on conflict (workspace_id, kind) do nothing`;

const SWEEP_INTERVAL_SECONDS = 900;
const RETRY_SECONDS = 60;
const BATCH_SIZE = 500;
const CONCURRENCY = 4;

export async function sweepDueWorkspaces(host: JobHost): Promise<void> {
  for (;;) {
    const due = await findDueWorkspaces(host.db, SWEEP_KIND, BATCH_SIZE);
    for (let from = 0; from < due.length; from += CONCURRENCY)
      await Promise.all(
        due.slice(from, from + CONCURRENCY).map((item) => sweepWorkspace(host, item.workspace_id)),
      );
    if (due.length < BATCH_SIZE) return;
  }
}

/** Adds jitter, so that workspaces created together are not always swept together. Retries a failed sweep soon. */
async function sweepWorkspace({ db, log }: JobHost, workspaceId: number): Promise<void> {
  let pause = SWEEP_INTERVAL_SECONDS * (0.75 + Math.random() / 2);
  try {
    for (const sweeper of sweepers) await sweeper(db, workspaceId);
  } catch (error) {
    log.warn({ err: error, workspace: workspaceId }, 'a workspace could not be checked for due work');
    pause = RETRY_SECONDS;
  }
  await db.rows(
    sql`update svc_due set next_at = ${NOW} + make_interval(secs => ${pause})
     where workspace_id = ${workspaceId} and kind = ${SWEEP_KIND}`,
  );
}
