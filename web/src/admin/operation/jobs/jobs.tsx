import '../operation.css';
import { useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { formatCount, formatInstant, formatWhen } from '../../../i18n/format.ts';
import { LoadError, Screen } from '../../../shell/screen.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { useViewer } from '../../../shell/viewer.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showErrorToast, showToast } from '../../../ui/toasts.tsx';
import { operationWords } from '../words.ts';
import { JobRunNowDocument, JobsDocument, type JobsQuery } from './generated.ts';

type Job = JobsQuery['irCrons']['nodes'][number];

/** As many as one answer holds. */
const MAX_JOBS = 500;

/** What the platform does by the clock: how often, and how runs by hand ended. */
export function Jobs() {
  const { data, refusal, reload } = useGraphqlQuery(JobsDocument, { first: MAX_JOBS });
  useReloadOnChange('ir.cron', reload);
  return (
    <Screen title={operationWords.jobs} needs="cronRun">
      <p className="op-text quiet">{operationWords.jobsText}</p>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data?.irCrons.totalCount === 0 && <EmptyState title={operationWords.noJobs} />}
      <ul className="op-cards">
        {data?.irCrons.nodes.map((job) => (
          <JobRow key={job.id} job={job} reload={reload} />
        ))}
      </ul>
    </Screen>
  );
}

function JobRow({ job, reload }: { job: Job; reload(): void }) {
  const { can } = useViewer();
  const { act } = useAction();
  const [isAsking, setAsking] = useState(false);
  const run = () =>
    act(async () => {
      const { cronRun } = await runMutation(JobRunNowDocument, { id: job.id });
      if (cronRun.success) showToast(operationWords.jobRan(job.cronName));
      else showErrorToast(cronRun.message ?? operationWords.jobFailed);
    }).finally(reload);
  return (
    <li className="card">
      <div>
        <strong>{job.cronName}</strong>{' '}
        {job.failureCount > 0 && (
          <StatusBadge tone="bad">{formatCount(job.failureCount, operationWords.failures)}</StatusBadge>
        )}
        <p className="quiet small">
          {[
            formatCount(job.intervalNumber, operationWords.intervals[job.intervalType]),
            job.lastcall ? operationWords.ranByHand(formatWhen(job.lastcall)) : operationWords.neverByHand,
            job.failureCount > 0 &&
              job.firstFailureDate &&
              operationWords.failsSince(formatInstant(job.firstFailureDate)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {can.has('cronRun') && (
        <Button onClick={() => setAsking(true)} aria-label={operationWords.runOf(job.cronName)}>
          {operationWords.runNow}
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={operationWords.runTitle(job.cronName)}
          yes={operationWords.runNow}
          no={shellWords.close}
          onYes={run}
          onClose={() => setAsking(false)}
        >
          <p>{operationWords.runText}</p>
        </Confirm>
      )}
    </li>
  );
}
