import { listScheduledJobs } from '../../../src/engine/work/jobs.ts';
import { errors } from '../../../src/errors.ts';
import { runOnRuntime } from '../run-on-runtime.ts';

/** @throws USER_ERROR with the existing job names if there is no such job */
export const runScheduledJob = (name: string): Promise<{ name: string }> =>
  runOnRuntime(async ({ db, config, log }) => {
    const job = listScheduledJobs().find((scheduledJob) => scheduledJob.name === name);
    if (!job)
      throw errors.user(
        `Unknown job ${name}. Use one of ${listScheduledJobs()
          .map((scheduledJob) => scheduledJob.name)
          .sort()
          .join(', ')}.`,
      );
    await job.run({ db, config, log }, {});
    return { name };
  });
