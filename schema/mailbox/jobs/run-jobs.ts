import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBareCtx } from '../../../src/engine/ctx/system-ctx.ts';
import { createFailureGuard, findDueWorkspaces, scheduleDueWork } from '../../../src/engine/work/due.ts';
import { loadJobPrincipal } from '../../../src/engine/work/load-workspace.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { startWorkerLoop, type WorkerLoop } from '../../../src/loop/worker-loop.ts';
import { notify } from '../../base/notifications/notify.ts';
import { defineLeaseClaim } from '../kit/lease.ts';
import { MailError } from '../kit/operation.ts';
import {
  buildDeleteJobPartsSql,
  JOB_COLUMNS,
  type JobKind,
  JobLostError,
  type JobRow,
  MAIL_JOB_KIND,
  SET_JOB_ENDED,
  TransientJobError,
} from './job-row.ts';

const MAX_CONCURRENT_JOBS = 4;
const MAX_CONCURRENT_JOBS_PER_WORKSPACE = 2;
/** Milliseconds after which a job yields to waiting jobs. */
const JOB_TURN_MS = 30_000;
/** Milliseconds after which another process may take over a job with an unrenewed lease. */
const JOB_LEASE_MS = 20_000;
/** Consecutive attempts without progress before a job fails. */
const MAX_JOB_ATTEMPTS = 10;

/**
 * Runs a part of a job as its user, and saves the progress after each bounded transaction.
 * @param mustStop returns true if other jobs are waiting, or the process is shutting down
 * @returns true if the job is complete
 * @throws MailError or AppError to end the job with that message; other errors are retried
 */
type JobStep = (ctx: Ctx, job: JobRow, mustStop: () => boolean) => Promise<boolean>;

const steps = new Map<JobKind, JobStep>();

export function defineJobStep(kind: JobKind, step: JobStep): void {
  steps.set(kind, step);
}

const POLL_INTERVAL_MS = 500;

/** Runs mailbox jobs until it is stopped. Any number of processes can do so concurrently. */
export function startMailJobs(runtime: Runtime): WorkerLoop {
  const running = new Map<Promise<void>, number>();
  const guard = createFailureGuard(runtime.log, MAIL_JOB_KIND);
  let isStopping = false;
  const startJobRun = (workspaceId: number, job: JobRow) => {
    const work = runJob(runtime, workspaceId, job, () => isStopping).finally(() => {
      running.delete(work);
      loop.wake();
    });
    running.set(work, workspaceId);
  };
  const claimDueJobs = async (): Promise<number> => {
    const busy = Map.groupBy(running.values(), (workspaceId) => workspaceId);
    const fullWorkspaces = [...busy].flatMap(([id, ids]) =>
      ids.length < MAX_CONCURRENT_JOBS_PER_WORKSPACE ? [] : [id],
    );
    const [due] = await findDueWorkspaces(runtime.db, MAIL_JOB_KIND, 1, [
      ...guard.resting(),
      ...fullWorkspaces,
    ]);
    if (!due) return 0;
    const capacity = MAX_CONCURRENT_JOBS_PER_WORKSPACE - (busy.get(due.workspace_id)?.length ?? 0);
    const most = Math.min(capacity, MAX_CONCURRENT_JOBS - running.size);
    const rows = await guard.run(due.workspace_id, () => claimJobs<JobRow>(runtime.db, due, most));
    for (const row of rows ?? []) startJobRun(due.workspace_id, row);
    // A failed claim counts as progress, so that the next workspace is served immediately.
    return rows?.length ?? 1;
  };
  const loop = startWorkerLoop(POLL_INTERVAL_MS, async () => {
    const isFull = running.size >= MAX_CONCURRENT_JOBS;
    return isFull ? 0 : claimDueJobs().catch((error: unknown) => logClaimError(runtime, error));
  });
  return {
    wake: loop.wake,
    // Waits until running jobs have saved their progress.
    async stop() {
      isStopping = true;
      await loop.stop();
      await Promise.all(running.keys());
    },
  };
}

function logClaimError({ log }: Runtime, error: unknown): number {
  log.warn({ err: error }, 'mailbox jobs paused after an error');
  return 0;
}

const LEASE_SECONDS = JOB_LEASE_MS / 1_000;

const JOB_FAILED = 'It could not be done.';

const claimJobs = defineLeaseClaim({
  table: 'svc_mail_job',
  kind: MAIL_JOB_KIND,
  lease: JOB_LEASE_MS,
  attempts: MAX_JOB_ATTEMPTS,
  taken: sql`state = 'running', turn = t.turn + 1`,
  givenUp: sql`state = 'failed', error = ${sql.literal(JOB_FAILED)}, ${SET_JOB_ENDED}`,
  columns: JOB_COLUMNS,
});

/** Never rejects: a failed job is retried, or ends with a reason. */
async function runJob(
  runtime: Runtime,
  workspaceId: number,
  job: JobRow,
  isEnding: () => boolean,
): Promise<void> {
  const ctx = createBareCtx(runtime, workspaceId);
  const deadline = Date.now() + JOB_TURN_MS;
  const lease = setInterval(() => void renewLease(ctx, job), JOB_LEASE_MS / 4);
  try {
    const principal = await loadJobPrincipal(runtime, workspaceId, job.user_id);
    if (!principal) throw errors.user('The user who started the job is no longer active.');
    const mustStop = () => isEnding() || Date.now() >= deadline;
    const isDone = await steps.get(job.kind)!(ctx.with({ principal, channel: 'job' }), job, mustStop);
    await (isDone ? endJob(ctx, job, 'done', null) : requeueJob(ctx, job, 0, null));
  } catch (error) {
    await requeueOrFailJob(ctx, job, error).catch((again: unknown) =>
      ctx.log.warn(
        { err: again, workspace: workspaceId, job: job.id },
        'could not release a job; it waits until its lease expires',
      ),
    );
  } finally {
    clearInterval(lease);
  }
}

/** If renewal fails, the lease expires, and this process can no longer save progress. */
const renewLease = (ctx: Ctx, job: JobRow): Promise<unknown> =>
  ctx.db
    .rows(
      sql`update svc_mail_job set next_at = now() + make_interval(secs => ${LEASE_SECONDS})
       where workspace_id = ${ctx.workspace.id} and id = ${job.id} and turn = ${job.turn} and state = 'running'`,
    )
    .catch(() => undefined);

/** Milliseconds before each retry. The last value repeats. */
const RETRY_DELAYS_MS = [1_000, 10_000, 60_000, 300_000];

async function requeueOrFailJob(ctx: Ctx, job: JobRow, error: unknown): Promise<void> {
  if (error instanceof JobLostError) return;
  const isKnown = error instanceof MailError || (error instanceof AppError && error.status < 500);
  const isPassing = !isKnown || error instanceof TransientJobError;
  if (!isKnown) ctx.log.warn({ err: error, job: job.id }, 'a job could not continue');
  const code = error instanceof MailError ? ((error.more.code as string | undefined) ?? null) : null;
  const reason = { code, error: isKnown ? error.message : JOB_FAILED };
  if (!isPassing || job.attempts >= MAX_JOB_ATTEMPTS) return endJob(ctx, job, 'failed', reason);
  return requeueJob(
    ctx,
    job,
    RETRY_DELAYS_MS[Math.min(Math.max(job.attempts, 1), RETRY_DELAYS_MS.length) - 1]!,
    reason,
  );
}

interface FailureReason {
  code: string | null;
  error: string;
}

const endJob = (
  ctx: Ctx,
  job: JobRow,
  state: 'done' | 'failed',
  reason: FailureReason | null,
): Promise<void> =>
  ctx.tx(async (tx) => {
    const endedRows = await tx.db.rows(
      sql`update svc_mail_job set state = ${state}, total = ${job.total}, code = ${reason?.code ?? null},
         error = ${reason?.error ?? null}, ${SET_JOB_ENDED}
       where workspace_id = ${tx.workspace.id} and id = ${job.id} and turn = ${job.turn} and state = 'running'
       returning id`,
    );
    if (endedRows.length === 0) return;
    await tx.db.rows(buildDeleteJobPartsSql(tx, job.id));
    await notify(tx.db, tx.workspace.id, job.user_id, {
      kind: `mail_${job.kind}`,
      outcome: state,
      title: NOTIFICATION_TITLES[job.kind][state],
      details: reason?.error ?? `${job.done} done, ${job.skipped} skipped, ${job.failed} failed.`,
      model: 'svc.mail.job',
      resId: job.id,
    });
  });

const NOTIFICATION_TITLES: Record<JobKind, Record<'done' | 'failed', string>> = {
  import: { done: 'Messages were imported.', failed: 'Messages could not be imported.' },
  change: { done: 'Messages were changed.', failed: 'Messages could not be changed.' },
};

/** @param pause milliseconds until the next attempt */
async function requeueJob(ctx: Ctx, job: JobRow, pause: number, reason: FailureReason | null): Promise<void> {
  await ctx.db.rows(
    sql`update svc_mail_job set next_at = now() + make_interval(secs => ${pause / 1_000}), lease = null,
       attempts = ${reason ? job.attempts : 0}, code = ${reason?.code ?? null}, error = ${reason?.error ?? null}
     where workspace_id = ${ctx.workspace.id} and id = ${job.id} and turn = ${job.turn} and state = 'running'`,
  );
  scheduleDueWork(ctx.db, ctx.workspace.id, MAIL_JOB_KIND, { wait: pause });
}
