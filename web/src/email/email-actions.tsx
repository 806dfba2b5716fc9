import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { ConfirmDialog } from '../shell/dialogs/confirm.tsx';
import { FormDialog } from '../shell/dialogs/form-dialog.tsx';
import { useAction, useFormAction } from '../shell/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
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
  const [openDialog, setOpenDialog] = useState<'time' | 'end' | null>(null);
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
          <Button onClick={() => setOpenDialog('time')}>{emailStrings.reschedule}</Button>
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
      {state === 'UNKNOWN' && <Button onClick={() => setOpenDialog('end')}>{emailStrings.markFailed}</Button>}
      {openDialog === 'time' && (
        <RescheduleDialog email={email} reload={reload} onClose={() => setOpenDialog(null)} />
      )}
      {openDialog === 'end' && (
        <ConfirmDialog
          title={emailStrings.markFailed}
          yes={emailStrings.markFailed}
          onYes={runAction(() => runMutation(EmailGiveUpDocument, { id }), emailStrings.markedFailed)}
          onClose={() => setOpenDialog(null)}
        >
          <p>{emailStrings.markFailedText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function RescheduleDialog({ email, reload, onClose }: EmailActionsProps & { onClose(): void }) {
  const { isBusy, act, getFieldError, refusal } = useFormAction();
  const save = (form: FormData) =>
    act(async () => {
      const scheduledAt = new Date(getText(form, 'time')).toISOString();
      await runMutation(EmailRescheduleDocument, { id: email.id, scheduledAt });
      showToast(emailStrings.rescheduled);
      reload();
      onClose();
    });
  return (
    <FormDialog
      title={emailStrings.reschedule}
      submit={emailStrings.save}
      isBusy={isBusy}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        name="time"
        type="datetime-local"
        required
        label={emailStrings.scheduled}
        defaultValue={email.scheduledAt ? toLocalInput(email.scheduledAt) : ''}
        error={getFieldError('scheduledAt') ?? refusal?.message}
      />
    </FormDialog>
  );
}
