import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { ConfirmButton } from '../shell/dialogs/confirm.tsx';
import { FormDialog } from '../shell/dialogs/form-dialog.tsx';
import { useAction } from '../shell/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/form/field.tsx';
import { getText } from '../ui/form/form.tsx';
import { toLocalInput } from '../ui/input/local-input.ts';
import { showToast } from '../ui/toasts.tsx';
import {
  EmailCancelDocument,
  EmailGiveUpDocument,
  type EmailQuery,
  EmailRescheduleDocument,
  EmailSendAgainDocument,
} from './generated.ts';
import { emailStrings } from './strings.ts';

interface EmailActionsProps {
  email: NonNullable<EmailQuery['email']>;
  reload(): void;
}

export function EmailActions({ email, reload }: EmailActionsProps) {
  const { id, latestStatus, state } = email;
  const { isBusy, act } = useAction();
  const [isRescheduling, setIsRescheduling] = useState(false);
  const runAction = (action: () => Promise<unknown>, done: string) => () =>
    act(async () => {
      await action();
      showToast(done);
      reload();
    });
  return (
    <div className="buttons">
      {latestStatus === 'SCHEDULED' && (
        <>
          <Button onClick={() => setIsRescheduling(true)}>{emailStrings.reschedule}</Button>
          <Button
            isBusy={isBusy}
            onClick={runAction(() => runMutation(EmailCancelDocument, { id }), emailStrings.cancelled)}
          >
            {emailStrings.cancel}
          </Button>
        </>
      )}
      {['FAILED', 'UNKNOWN', 'SUPPRESSED'].includes(state) && (
        <Button
          isBusy={isBusy}
          onClick={runAction(() => runMutation(EmailSendAgainDocument, { id }), emailStrings.requeued)}
        >
          {emailStrings.resend}
        </Button>
      )}
      {state === 'UNKNOWN' && (
        <ConfirmButton
          label={emailStrings.markFailed}
          title={emailStrings.markFailed}
          text={emailStrings.markFailedText}
          onYes={runAction(() => runMutation(EmailGiveUpDocument, { id }), emailStrings.markedFailed)}
        />
      )}
      {isRescheduling && (
        <RescheduleDialog email={email} reload={reload} onClose={() => setIsRescheduling(false)} />
      )}
    </div>
  );
}

function RescheduleDialog({ email, reload, onClose }: EmailActionsProps & { onClose(): void }) {
  const save = async (form: FormData) => {
    const scheduledAt = new Date(getText(form, 'time')).toISOString();
    await runMutation(EmailRescheduleDocument, { id: email.id, scheduledAt });
    showToast(emailStrings.rescheduled);
    reload();
  };
  return (
    <FormDialog
      title={emailStrings.reschedule}
      submit={emailStrings.save}
      errorField="time"
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        name="time"
        type="datetime-local"
        required
        label={emailStrings.scheduled}
        defaultValue={email.scheduledAt ? toLocalInput(email.scheduledAt) : ''}
      />
    </FormDialog>
  );
}
