import { runMutation } from '../../graphql/client.ts';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailStrings } from '../strings.ts';
import { CampaignTestSendDocument } from './generated.ts';
import { campaignStrings } from './strings.ts';

interface TestSendDialogProps {
  id: string;
  isDirty: boolean;
  onClose(): void;
}

export function TestSendDialog({ id, isDirty, onClose }: TestSendDialogProps) {
  const { viewer } = useViewer();
  const send = async (form: FormData) => {
    const to = getText(form, 'to')
      .split(/[\s,;]+/)
      .filter(Boolean);
    await runMutation(CampaignTestSendDocument, { id, to, contact: getText(form, 'contact') || null });
    showToast(campaignStrings.testSent(to.join(', ')));
  };
  return (
    <FormDialog
      title={campaignStrings.test}
      submit={campaignStrings.testSend}
      icon="send"
      onSubmit={send}
      onClose={onClose}
    >
      <p>
        {campaignStrings.testText} {isDirty && emailStrings.testUnsaved}
      </p>
      <Field
        name="to"
        label={campaignStrings.to}
        hint={campaignStrings.testToHint}
        autoComplete="email"
        required
        defaultValue={viewer.login?.includes('@') ? viewer.login : ''}
      />
      <Field
        name="contact"
        type="email"
        label={campaignStrings.previewAsContact}
        placeholder={campaignStrings.previewAsContactHint}
      />
    </FormDialog>
  );
}
