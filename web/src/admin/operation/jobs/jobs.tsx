import '../operation.css';
import { useState } from 'react';
import { change } from '../../../graphql/client.ts';
import { useFresh } from '../../../graphql/live.ts';
import { counted, formatInstant, formatWhen } from '../../../i18n/format.ts';
import { useAct } from '../../../shell/act.ts';
import { useAnswer } from '../../../shell/answer.ts';
import { Failed, Screen } from '../../../shell/screen.tsx';
import { useViewer } from '../../../shell/viewer.ts';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { say, sayWrong } from '../../../ui/toasts.tsx';
import { operationWords } from '../words.ts';
import { JobRunNowDocument, JobsDocument, type JobsQuery } from './generated.ts';

type Job = JobsQuery['irCrons']['nodes'][number];

/** As many as one answer holds. */
const MOST = 500;

/** What the platform does by the clock: how often, and how runs by hand ended. */
export function Jobs() {
  const { data, refusal, reload } = useAnswer(JobsDocument, { first: MOST });
  useFresh('ir.cron', reload);
  return (
    <Screen title={operationWords.jobs} needs="cronRun">
      <p className="op-text quiet">{operationWords.jobsText}</p>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data?.irCrons.totalCount === 0 && <Empty title={operationWords.noJobs} />}
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
  const { act } = useAct();
  const [isAsking, setAsking] = useState(false);
  const run = () =>
    act(async () => {
      const { cronRun } = await change(JobRunNowDocument, { id: job.id });
      if (cronRun.success) say(operationWords.jobRan(job.cronName));
      else sayWrong(cronRun.message ?? operationWords.jobFailed);
    }).finally(reload);
  return (
    <li className="card">
      <div>
        <strong>{job.cronName}</strong>{' '}
        {job.failureCount > 0 && (
          <StatusBadge tone="bad">{counted(job.failureCount, operationWords.failures)}</StatusBadge>
        )}
        <p className="quiet small">
          {[
            counted(job.intervalNumber, operationWords.intervals[job.intervalType]),
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
