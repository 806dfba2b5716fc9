import { runMutation } from '../../../graphql/client.ts';
import { formatCount, formatInstant, formatWhen } from '../../../i18n/format.ts';
import { ConfirmButton } from '../../../shell/action-buttons.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showErrorToast, showToast } from '../../../ui/toasts.tsx';
import { operationStrings } from '../strings.ts';
import { JobRunNowDocument, JobsDocument, type JobsQuery } from './generated.ts';

type Job = JobsQuery['irCrons']['nodes'][number];

/** The server's page size limit. */
const MAX_JOBS = 500;

export function Jobs() {
  const { data, refusal, reload } = useLiveQuery(JobsDocument, { first: MAX_JOBS }, 'ir.cron');
  return (
    <Screen title={operationStrings.jobs}>
      <p className="measure quiet">{operationStrings.jobsText}</p>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data?.irCrons.totalCount === 0 && <EmptyState title={operationStrings.noJobs} />}
      <ul className="card-list">
        {data?.irCrons.nodes.map((job) => (
          <JobRow key={job.id} job={job} reload={reload} />
        ))}
      </ul>
    </Screen>
  );
}

function JobRow({ job, reload }: { job: Job; reload(): void }) {
  const name = operationStrings.jobNames[job.code ?? ''] ?? job.cronName;
  const run = async () => {
    const { cronRun } = await runMutation(JobRunNowDocument, { id: job.id });
    if (cronRun.success) showToast(operationStrings.jobFinished(name));
    else showErrorToast(cronRun.message ?? operationStrings.jobFailed);
  };
  return (
    <li className="card">
      <div>
        <strong>{name}</strong>{' '}
        {job.failureCount > 0 && (
          <StatusBadge tone="bad">{formatCount(job.failureCount, operationStrings.failureCount)}</StatusBadge>
        )}
        <p className="quiet small">
          {[
            formatCount(job.intervalNumber, operationStrings.intervals[job.intervalType]),
            job.lastcall
              ? operationStrings.lastManualRun(formatWhen(job.lastcall))
              : operationStrings.neverRunManually,
            job.failureCount > 0 &&
              job.firstFailureDate &&
              operationStrings.failingSince(formatInstant(job.firstFailureDate)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <ConfirmButton
        label={operationStrings.runNow}
        aria-label={operationStrings.runNowNamed(name)}
        title={operationStrings.runTitle(name)}
        text={operationStrings.runText}
        isDangerous={false}
        onYes={() => run().finally(reload)}
      />
    </li>
  );
}
