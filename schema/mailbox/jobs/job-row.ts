import { type Sql, sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { MailError } from '../kit/operation.ts';

export const MAX_UNFINISHED_JOBS = 20;
export const MAIL_JOB_KIND = 'mail-job';

export type JobKind = 'import' | 'change';

export interface JobRow {
  id: number;
  account_id: number;
  user_id: number;
  kind: JobKind;
  /** Null until the messages have been counted. */
  total: number | null;
  done: number;
  skipped: number;
  failed: number;
  plan: unknown;
  sealed: string | null;
  attempts: number;
  turn: number;
}

/** Columns of a row `t`. */
export const JOB_COLUMNS: Sql = sql`t.id, t.account_id, t.user_id, t.kind, t.total, t.done, t.skipped, t.failed,
  t.plan, t.sealed, t.attempts, t.turn`;

interface NewJob {
  accountId: number;
  kind: JobKind;
  plan: object;
  server?: string;
  /** Encrypted credentials for the remote server. */
  sealed?: string;
}

/**
 * Queues a job, which a worker starts immediately. @returns its id
 * @throws MailError if the caller has too many unfinished jobs
 */
export function startJob(ctx: Ctx, { accountId, kind, plan, server, sealed }: NewJob): Promise<number> {
  return ctx.tx(async (tx) => {
    await checkOpenJobCount(tx);
    const id = await allocateId(tx, 'svc_mail_job');
    await tx.db.rows(
      sql`insert into svc_mail_job (workspace_id, id, account_id, user_id, kind, plan, server, sealed, next_at)
       values (${tx.workspace.id}, ${id}, ${accountId}, ${tx.principal!.userId}, ${kind},
         ${JSON.stringify(plan)}::jsonb, ${server ?? null}, ${sealed ?? null}, now())`,
    );
    scheduleDueWork(tx.db, tx.workspace.id, MAIL_JOB_KIND);
    return id;
  });
}

async function checkOpenJobCount(ctx: Ctx): Promise<void> {
  const count = await ctx.db.value<number>(
    sql`select count(*)::int from svc_mail_job j
     where j.workspace_id = ${ctx.workspace.id} and j.user_id = ${ctx.principal!.userId} and j.next_at is not null`,
  );
  if (count >= MAX_UNFINISHED_JOBS)
    throw new MailError(
      `You already have ${MAX_UNFINISHED_JOBS} unfinished jobs (the maximum). Wait until one has finished.`,
    );
}

/**
 * Saves a job's progress and resets `attempts`. A change is made exactly once if its transaction saves the progress.
 * @throws JobLostError if the job was canceled, or another process has taken it over
 */
export async function saveJob(ctx: Ctx, job: JobRow): Promise<void> {
  const savedRows = await ctx.db.rows(
    sql`update svc_mail_job set total = ${job.total}, done = ${job.done}, skipped = ${job.skipped},
       failed = ${job.failed}, plan = ${JSON.stringify(job.plan)}::jsonb, attempts = 0, code = null, error = null
     where workspace_id = ${ctx.workspace.id} and id = ${job.id} and turn = ${job.turn} and state = 'running'
     returning id`,
  );
  if (savedRows.length === 0) throw new JobLostError();
}

/** A temporary rejection. The job waits, and shows the reason. */
export class TransientJobError extends MailError {}

/** The job was canceled, or another process has taken it over. */
export class JobLostError extends Error {}

/** Assignments for a job that has finished, failed or been canceled. */
export const SET_JOB_ENDED: Sql = sql`next_at = null, sealed = null, ended_at = now()`;

export const buildDeleteJobPartsSql = (ctx: Ctx, jobId: number): Sql =>
  sql`delete from svc_mail_job_part where workspace_id = ${ctx.workspace.id} and job_id = ${jobId}`;
