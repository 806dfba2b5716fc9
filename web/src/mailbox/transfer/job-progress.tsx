import { runMutation } from '../../graphql/client.ts';
import { formatCount } from '../../i18n/format.ts';
import { ActionButton } from '../../shell/action-buttons.tsx';
import { assertOk } from '../mail-outcome.ts';
import { MailJobCancelDocument, type MailJobsOpenQuery } from './generated.ts';
import { transferStrings } from './strings.ts';

type Job = MailJobsOpenQuery['mailJobs']['nodes'][number];

const isUnfinished = ({ state }: Job): boolean => state === 'WAITING' || state === 'RUNNING';

export function JobProgress({ job, reload }: { job: Job; reload(): void }) {
  const { id, kind, state, total, done, skipped, failed, server, error } = job;
  const cancel = async () => {
    assertOk((await runMutation(MailJobCancelDocument, { id })).mailJobCancel);
    reload();
  };
  const title = kind === 'IMPORT' ? transferStrings.importFrom(server ?? '') : transferStrings.bulkUpdate;
  const processed = done + skipped + failed;
  return (
    <div className="mail-job">
      <div className="grow">
        <strong>{title}</strong>
        <p className="quiet small figures" role="status">
          {transferStrings.states[state]}
          {processed > 0 &&
            ` · ${formatCount(done, kind === 'IMPORT' ? transferStrings.imported : transferStrings.changed)}`}
          {skipped > 0 && ` · ${formatCount(skipped, transferStrings.skipped)}`}
          {failed > 0 && ` · ${formatCount(failed, transferStrings.failed)}`}
        </p>
        {isUnfinished(job) && (
          <progress
            aria-label={title}
            max={total || undefined}
            value={total ? Math.min(processed, total) : undefined}
          />
        )}
        {error && <p className={isUnfinished(job) ? 'quiet small' : 'wrong small'}>{error}</p>}
      </div>
      {isUnfinished(job) && <ActionButton onAct={cancel}>{transferStrings.stop}</ActionButton>}
    </div>
  );
}
