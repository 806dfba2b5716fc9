import './transfer.css';
import { useReloadOnChange } from '../../graphql/live.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { usePoll } from '../../shell/use-poll.ts';
import { MailJobsOpenDocument } from './generated.ts';
import { JobProgress } from './job-progress.tsx';

/** Reloads when a job changes, and periodically while a job is running. */
export function useJobPolling(isRunning: boolean, reload: () => void): void {
  useReloadOnChange('svc.mail.job', reload);
  usePoll(isRunning, reload);
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
