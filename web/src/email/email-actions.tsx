import { type FormEvent, useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { useAction, useFormAction } from '../shell/use-action.ts';
import { shellWords } from '../shell/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { showToast } from '../ui/toasts.tsx';
import {
  EmailCancelDocument,
  EmailGiveUpDocument,
  type EmailQuery,
  EmailRescheduleDocument,
  EmailSendAgainDocument,
} from './generated.ts';
import { emailWords } from './words.ts';

interface EmailActionsProps {
  email: NonNullable<EmailQuery['email']>;
  reload(): void;
}

/** What can still be done with an email. */
export function EmailActions({ email, reload }: EmailActionsProps) {
  const { id, latestStatus, state } = email;
  const { isBusy, act } = useAction();
  const [openDialog, setOpenDialog] = useState<'time' | 'end' | null>(null);
  const runAction = (what: () => Promise<unknown>, done: string) => () =>
    act(async () => {
      await what();
      showToast(done);
      reload();
    });
  return (
    <div className="buttons">
      {latestStatus === 'SCHEDULED' && (
        <>
          <Button onClick={() => setOpenDialog('time')}>{emailWords.reschedule}</Button>
          <Button
            isBusy={isBusy}
            onClick={runAction(() => runMutation(EmailCancelDocument, { id }), emailWords.cancelled)}
          >
            {emailWords.cancel}
          </Button>
        </>
      )}
      {['FAILED', 'UNKNOWN', 'SUPPRESSED'].includes(state) && (
        <Button
          isBusy={isBusy}
          onClick={runAction(() => runMutation(EmailSendAgainDocument, { id }), emailWords.queuedAgain)}
        >
          {emailWords.sendAgain}
        </Button>
      )}
      {state === 'UNKNOWN' && <Button onClick={() => setOpenDialog('end')}>{emailWords.giveUp}</Button>}
      {openDialog === 'time' && (
        <Reschedule email={email} reload={reload} onClose={() => setOpenDialog(null)} />
      )}
      {openDialog === 'end' && (
        <Confirm
          title={emailWords.giveUp}
          yes={emailWords.giveUp}
          no={shellWords.close}
          onYes={runAction(() => runMutation(EmailGiveUpDocument, { id }), emailWords.givenUp)}
          onClose={() => setOpenDialog(null)}
        >
          <p>{emailWords.giveUpText}</p>
        </Confirm>
      )}
    </div>
  );
}

function Reschedule({ email, reload, onClose }: EmailActionsProps & { onClose(): void }) {
  const { isBusy, act, wrong, refusal } = useFormAction();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = String(new FormData(event.currentTarget).get('time'));
    void act(async () => {
      const scheduledAt = new Date(given).toISOString();
      await runMutation(EmailRescheduleDocument, { id: email.id, scheduledAt });
      showToast(emailWords.rescheduled);
      reload();
      onClose();
    });
  };
  return (
    <Dialog title={emailWords.reschedule} onClose={onClose}>
      <form onSubmit={save}>
        <Field
          name="time"
          type="datetime-local"
          required
          label={emailWords.scheduled}
          defaultValue={toLocalInput(email.scheduledAt)}
          error={wrong('scheduledAt') ?? refusal?.message}
        />
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {emailWords.save}
          </Button>
          <Button onClick={onClose}>{shellWords.close}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** As the input takes it, in the zone of the browser. */
function toLocalInput(iso: string | null): string {
  if (iso === null) return '';
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
