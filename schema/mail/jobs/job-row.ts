import { type Sql, sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { scheduleDue } from '../../../src/engine/work/due.ts';
import { limits } from '../../../src/limits.ts';
import { MailError } from '../kit/mail-error.ts';

/** Under which workspaces are noted that have jobs of mailboxes to be taken up. */
export const MAIL_JOB_KIND = 'mail-job';

/** What jobs do. */
export type JobKind = 'import' | 'change';

/** Long work on a mailbox, as the process that does it has it. */
export interface JobRow {
  id: number;
  account_id: number;
  user_id: number;
  kind: JobKind;
  /** Null until the messages are counted. */
  total: number | null;
  done: number;
  skipped: number;
  failed: number;
  plan: unknown;
  sealed: string | null;
  attempts: number;
  turn: number;
}

/** Of a row `t`. */
export const JOB_COLUMNS: Sql = sql`t.id, t.account_id, t.user_id, t.kind, t.total, t.done, t.skipped, t.failed,
  t.plan, t.sealed, t.attempts, t.turn`;

interface NewJob {
  accountId: number;
  kind: JobKind;
  plan: object;
  server?: string;
  /** How to sign in to the server, sealed. */
  sealed?: string;
}

/** Adds a job that a worker takes up at once. @returns its id @throws MailRefusal when the caller has too many */
export function startJob(ctx: Ctx, { accountId, kind, plan, server, sealed }: NewJob): Promise<number> {
  return ctx.tx(async (tx) => {
    await checkOpenJobs(tx);
    const id = await allocateId(tx, 'svc_mail_job');
    await tx.db.rows(
      sql`insert into svc_mail_job (workspace_id, id, account_id, user_id, kind, plan, server, sealed, next_at)
       values (${tx.workspace.id}, ${id}, ${accountId}, ${tx.principal!.userId}, ${kind},
         ${JSON.stringify(plan)}::jsonb, ${server ?? null}, ${sealed ?? null}, now())`,
    );
    scheduleDue(tx.db, tx.workspace.id, MAIL_JOB_KIND);
    return id;
  });
}

async function checkOpenJobs(ctx: Ctx): Promise<void> {
  const [row] = await ctx.db.rows<{ n: number }>(
    sql`select count(*)::int as n from svc_mail_job j
     where j.workspace_id = ${ctx.workspace.id} and j.user_id = ${ctx.principal!.userId} and j.next_at is not null`,
  );
  if (row!.n >= limits.mail.jobs)
    throw new MailError(`You have ${limits.mail.jobs} jobs that have not ended and cannot start more.`);
}

/**
 * Writes down how far a job is, which counts as getting further: once that is committed, `attempts` begins again. In
 * the transaction of a change it lets that happen once.
 * @throws JobLost when it was cancelled, or another process has it by now
 */
export async function saveJob(ctx: Ctx, job: JobRow): Promise<void> {
  const saved = await ctx.db.rows(
    sql`update svc_mail_job set total = ${job.total}, done = ${job.done}, skipped = ${job.skipped},
       failed = ${job.failed}, plan = ${JSON.stringify(job.plan)}::jsonb, attempts = 0, code = null, error = null
     where workspace_id = ${ctx.workspace.id} and id = ${job.id} and turn = ${job.turn} and state = 'running'
     returning id`,
  );
  if (saved.length === 0) throw new JobLostError();
}

/** A refusal that may pass by itself: the job waits with the reason. */
export class TransientJobError extends MailError {}

/** The job is no longer this process's. */
export class JobLostError extends Error {}

/** Sets what a job has no more once it has ended, be it by its worker, by its user or by being given up. */
export const SET_JOB_ENDED: Sql = sql`next_at = null, sealed = null, ended_at = now()`;

/** A statement that deletes what a job was still to change. */
export const buildDeleteJobPartsSql = (ctx: Ctx, jobId: number): Sql =>
  sql`delete from svc_mail_job_part where workspace_id = ${ctx.workspace.id} and job_id = ${jobId}`;
