import './transfer.css';
import { useEffect, useRef } from 'react';
import { useReloadOnChange } from '../../graphql/live.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { MailJobsOpenDocument } from './generated.ts';
import { JobProgress } from './job-progress.tsx';

const POLL_INTERVAL_MS = 2_000;

/** Reloads when a job changes, and periodically while a job is running. */
export function useJobPolling(isRunning: boolean, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useReloadOnChange('svc.mail.job', reload);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => latest.current(), POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
}

export function RunningJobs({ mailbox }: { mailbox: string }) {
  const { data, reload } = useGraphqlQuery(MailJobsOpenDocument, { mailbox });
  const jobs = data?.mailJobs.nodes ?? [];
  useJobPolling(jobs.length > 0, reload);
  return (
    jobs.length > 0 && (
      <ul className="mail-jobs">
        {jobs.map((job) => (
          <li key={job.id}>
            <JobProgress job={job} reload={reload} />
          </li>
        ))}
      </ul>
    )
  );
}
