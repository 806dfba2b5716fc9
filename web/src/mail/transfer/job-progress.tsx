import { change } from '../../graphql/client.ts';
import { counted } from '../../i18n/format.ts';
import { useAct } from '../../shell/act.ts';
import { Button } from '../../ui/button.tsx';
import { sayWrong } from '../../ui/toasts.tsx';
import { MailJobCancelDocument, type MailJobsOpenQuery } from './generated.ts';
import { transferWords } from './words.ts';

type Job = MailJobsOpenQuery['mailJobs']['nodes'][number];

interface JobProgressProps {
  job: Job;
  reload(): void;
}

const isOpen = ({ state }: Job): boolean => state === 'WAITING' || state === 'RUNNING';

/** Long work on a mailbox: how far it is, why it waits or has failed, and the way to end it. */
export function JobProgress({ job, reload }: JobProgressProps) {
  const { id, kind, state, total, done, skipped, failed, server, error } = job;
  const { isBusy, act } = useAct();
  const cancel = () =>
    act(async () => {
      const { mailJobCancel } = await change(MailJobCancelDocument, { id });
      if (!mailJobCancel.ok) sayWrong(mailJobCancel.error ?? '');
      reload();
    });
  const title = kind === 'IMPORT' ? transferWords.importFrom(server ?? '') : transferWords.changing;
  const dealt = done + skipped + failed;
  return (
    <div className="mail-job">
      <div className="grow">
        <strong>{title}</strong>
        <p className="quiet small figures" role="status">
          {transferWords.states[state]}
          {dealt > 0 &&
            ` · ${counted(done, kind === 'IMPORT' ? transferWords.imported : transferWords.changed)}`}
          {skipped > 0 && ` · ${counted(skipped, transferWords.skipped)}`}
          {failed > 0 && ` · ${counted(failed, transferWords.failed)}`}
        </p>
        {isOpen(job) && (
          <progress
            aria-label={title}
            max={total || undefined}
            value={total ? Math.min(dealt, total) : undefined}
          />
        )}
        {error && <p className={isOpen(job) ? 'quiet small' : 'wrong small'}>{error}</p>}
      </div>
      {isOpen(job) && (
        <Button isBusy={isBusy} onClick={() => void cancel()}>
          {transferWords.stop}
        </Button>
      )}
    </div>
  );
}
