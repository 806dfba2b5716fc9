import './transfer.css';
import { useEffect, useRef } from 'react';
import { useFresh } from '../../graphql/live.ts';
import { useAnswer } from '../../shell/answer.ts';
import { MailJobsOpenDocument } from './generated.ts';
import { JobProgress } from './job-progress.tsx';

/** Milliseconds between two looks at a job that goes on. */
const PAUSE = 2_000;

/** Asks again while something goes on, and when a job changes. */
export function useWhile(isGoing: boolean, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useFresh('svc.mail.job', reload);
  useEffect(() => {
    if (!isGoing) return;
    const timer = setInterval(() => latest.current(), PAUSE);
    return () => clearInterval(timer);
  }, [isGoing]);
}

/** Long work on a mailbox that has not ended. */
export function RunningJobs({ mailbox }: { mailbox: string }) {
  const { data, reload } = useAnswer(MailJobsOpenDocument, { mailbox });
  const jobs = data?.mailJobs.nodes ?? [];
  useWhile(jobs.length > 0, reload);
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
