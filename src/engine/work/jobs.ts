import type { PgBoss } from 'pg-boss';
import { GuardedClient } from '../../db/outage.ts';
import { sql } from '../../db/sql.ts';
import type { Jobs, Runtime } from '../ctx/runtime.ts';
import { defineCounter, defineGauge } from './metrics.ts';

/** Context of a job, which has no caller and no workspace. */
export type JobHost = Pick<Runtime, 'db' | 'log' | 'config'>;

/** A background job. It must be idempotent, because it may run more than once. */
interface BackgroundJob {
  name: string;
  /** Cron expression in UTC for a scheduled job. */
  cron?: string;
  run(host: JobHost, data: unknown): Promise<void>;
}

const jobs: BackgroundJob[] = [];

/** Declares a job that every worker process runs. */
export function defineJob(job: BackgroundJob): void {
  jobs.push(job);
}

export const listScheduledJobs = (): (BackgroundJob & { cron: string })[] =>
  jobs.filter((job): job is BackgroundJob & { cron: string } => job.cron !== undefined);

/** pg-boss passes `Client` to its connection pool. */
const GUARDED_CLIENT: object = { Client: GuardedClient };

/**
 * Creates a job queue on PostgreSQL. Workers are notified of new jobs, and take over a dead worker's jobs within
 * seconds.
 */
export function createJobs(host: JobHost): Jobs {
  const { db, log } = host;
  let pgBoss: PgBoss | null = null;
  let isStarted = false;
  return {
    async start(isWorker) {
      const { PgBoss } = await import('pg-boss');
      pgBoss = new PgBoss({
        ...GUARDED_CLIENT,
        connectionString: db.directUrl,
        max: 3,
        application_name: 'atrium jobs',
        supervise: isWorker,
        schedule: isWorker,
        useListenNotify: isWorker,
      });
      pgBoss.on('error', (error) => log.warn({ err: error }, 'background job queue error'));
      await pgBoss.start();
      await prepareQueues(pgBoss);
      if (isWorker) for (const job of jobs) await runInBackground(pgBoss, job, host);
      isStarted = true;
    },
    async enqueue(ctx, name, data) {
      const executor = {
        executeSql: async (text: string, values: unknown[]) => ({
          rows: await ctx.db.rows(sql.given(text, values)),
        }),
      };
      await pgBoss!.send(name, data, { db: executor });
    },
    ready: () => isStarted,
    async stop() {
      isStarted = false;
      await pgBoss?.stop({ graceful: true, timeout: 10_000 });
      pgBoss = null;
    },
  };
}

/** Creates missing queues and schedules. After a restart none is missing, so two queries suffice. */
async function prepareQueues(pgBoss: PgBoss): Promise<void> {
  const [queues, schedules] = await Promise.all([pgBoss.getQueues(), pgBoss.getSchedules()]);
  const queueNames = new Set(queues.map(({ name }) => name));
  const cronByName = new Map(schedules.map(({ name, cron }) => [name, cron]));
  for (const { name, cron } of jobs) {
    if (!queueNames.has(name)) await pgBoss.createQueue(name, QUEUE_OPTIONS);
    if (cron && cronByName.get(name) !== cron) await pgBoss.schedule(name, cron);
  }
}

const QUEUE_OPTIONS = { retryLimit: 5, retryBackoff: true, heartbeatSeconds: 10, notify: true };

const runInBackground = (pgBoss: PgBoss, job: BackgroundJob, host: JobHost): Promise<string> =>
  pgBoss.work(job.name, async (batch: { data: unknown }[]) => {
    for (const { data } of batch) await runCounted(job, host, data);
  });

async function runCounted(job: BackgroundJob, host: JobHost, data: unknown): Promise<void> {
  let outcome = 'failed';
  try {
    await job.run({ ...host, log: host.log.child({ job: job.name }) }, data);
    outcome = 'done';
  } finally {
    JOB_RUN_COUNTER.inc({ name: job.name, outcome });
  }
}

const JOB_RUN_COUNTER = defineCounter(
  'atrium_job_runs_total',
  'Runs of background jobs, by name and outcome.',
  ['name', 'outcome'],
);

defineGauge('atrium_jobs_waiting', 'Background jobs that are due and have not begun, up to 1000.', (db) =>
  db.value<number>(
    sql`select count(*)::int from (select 1 from pgboss.job
     where name = any(${jobs.map(({ name }) => name)}) and state < 'active' and not blocked and start_after <= now()
     limit 1000) j`,
  ),
);
