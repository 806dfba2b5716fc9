import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { CampaignTestSendDocument } from './generated.ts';
import { campaignStrings } from './strings.ts';

interface TestSendDialogProps {
  id: string;
  isDirty: boolean;
  onClose(): void;
}

export function TestSendDialog({ id, isDirty, onClose }: TestSendDialogProps) {
  const { viewer } = useViewer();
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const to = String(form.get('to'))
      .split(/[\s,;]+/)
      .filter(Boolean);
    const contact = String(form.get('contact')).trim() || null;
    setIsBusy(true);
    try {
      await runMutation(CampaignTestSendDocument, { id, to, contact });
      showToast(campaignStrings.testSent(to.join(', ')));
      onClose();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setRejection(error.failure);
      setIsBusy(false);
    }
  };
  const isContactError = rejection?.argument === 'contact';
  return (
    <Dialog title={campaignStrings.test} onClose={onClose}>
      <p>
        {campaignStrings.testText} {isDirty && campaignStrings.testUnsaved}
      </p>
      <form className="campaign-form" onSubmit={send}>
        <Field
          name="to"
          label={campaignStrings.testTo}
          hint={campaignStrings.testToHint}
          required
          defaultValue={viewer.login?.includes('@') ? viewer.login : ''}
        />
        <Field
          name="contact"
          type="email"
          label={campaignStrings.previewAsContact}
          placeholder={campaignStrings.previewAsContactHint}
          error={isContactError ? rejection.message : null}
        />
        {rejection && !isContactError && (
          <p role="alert" className="campaign-wrong">
            {rejection.message}
          </p>
        )}
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary" icon="send" isBusy={isBusy}>
            {campaignStrings.testSend}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
