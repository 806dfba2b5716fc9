import { ActionButton, ConfirmButton, DialogOpener } from '../shell/action-buttons.tsx';
import { FormDialog } from '../shell/dialogs/form-dialog.tsx';
import { runWithToast } from '../shell/run-with-toast.ts';
import { Field } from '../ui/form/field.tsx';
import { getText } from '../ui/form/form.tsx';
import { toLocalInput } from '../ui/input/local-input.ts';
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
  return (
    <div className="buttons">
      {latestStatus === 'SCHEDULED' && (
        <>
          <DialogOpener label={emailStrings.reschedule}>
            {(onClose) => <RescheduleDialog email={email} reload={reload} onClose={onClose} />}
          </DialogOpener>
          <ActionButton
            onAct={() => runWithToast(EmailCancelDocument, { id }, emailStrings.cancelled).then(reload)}
          >
            {emailStrings.cancel}
          </ActionButton>
        </>
      )}
      {['FAILED', 'UNKNOWN', 'SUPPRESSED'].includes(state) && (
        <ActionButton
          onAct={() => runWithToast(EmailSendAgainDocument, { id }, emailStrings.requeued).then(reload)}
        >
          {emailStrings.resend}
        </ActionButton>
      )}
      {state === 'UNKNOWN' && (
        <ConfirmButton
          label={emailStrings.markFailed}
          title={emailStrings.markFailed}
          text={emailStrings.markFailedText}
          onYes={() => runWithToast(EmailGiveUpDocument, { id }, emailStrings.markedFailed).then(reload)}
        />
      )}
    </div>
  );
}

function RescheduleDialog({ email, reload, onClose }: EmailActionsProps & { onClose(): void }) {
  const save = async (form: FormData) => {
    const scheduledAt = new Date(getText(form, 'time')).toISOString();
    await runWithToast(EmailRescheduleDocument, { id: email.id, scheduledAt }, emailStrings.rescheduled);
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
