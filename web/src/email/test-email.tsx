import { Link, useNavigate } from '@tanstack/react-router';
import { runMutation } from '../graphql/client.ts';
import { DialogOpener } from '../shell/action-buttons.tsx';
import { DialogButtons } from '../shell/dialogs/dialog-buttons.tsx';
import { DialogForm } from '../shell/dialogs/form-dialog.tsx';
import { Loading } from '../shell/loading.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/form/field.tsx';
import { getText } from '../ui/form/form.tsx';
import { showToast } from '../ui/toasts.tsx';
import { EmailTestSendDocument, VerifiedDomainDocument } from './generated.ts';
import { emailStrings } from './strings.ts';

export const TestEmail = ({ look }: { look?: 'primary' }) => (
  <DialogOpener needs="emailSend" icon="send" look={look} label={emailStrings.testEmail}>
    {(onClose) => <TestEmailDialog onClose={onClose} />}
  </DialogOpener>
);

function TestEmailDialog({ onClose }: { onClose(): void }) {
  const { data, refusal } = useGraphqlQuery(VerifiedDomainDocument, {});
  const domain = data?.sendingDomains.nodes[0]?.name;
  return (
    <Dialog title={emailStrings.testEmail} onClose={onClose}>
      {refusal && <p role="alert">{refusal.message}</p>}
      {!data && !refusal && <Loading />}
      {data && !domain && (
        <>
          <p>{emailStrings.testNeedsDomain}</p>
          <p>
            <Link to="/email/domains">{emailStrings.addDomain}</Link>
          </p>
          <DialogButtons onClose={onClose} />
        </>
      )}
      {domain && <TestEmailForm domain={domain} onClose={onClose} />}
    </Dialog>
  );
}

function TestEmailForm({ domain, onClose }: { domain: string; onClose(): void }) {
  const { viewer, workspace } = useViewer();
  const navigate = useNavigate();
  const send = async (form: FormData) => {
    const to = getText(form, 'to');
    const { emailSend } = await runMutation(EmailTestSendDocument, {
      from: getText(form, 'from'),
      to: [to],
      subject: getText(form, 'subject'),
      text: emailStrings.testBody,
      html: `<p>${emailStrings.testBody}</p>`,
    });
    showToast(emailStrings.testSent(to));
    await navigate({ to: '/email/emails', search: { id: emailSend.id } });
  };
  return (
    <DialogForm submit={emailStrings.send} icon="send" onSubmit={send} onClose={onClose}>
      <p>{emailStrings.testText}</p>
      <Field name="from" label={emailStrings.fromAddress} required defaultValue={`hello@${domain}`} />
      <Field
        name="to"
        type="email"
        label={emailStrings.toAddress}
        hint={emailStrings.testTo}
        required
        autoFocus
        autoComplete="email"
        defaultValue={viewer.login?.includes('@') ? viewer.login : ''}
      />
      <Field
        name="subject"
        label={emailStrings.subject}
        required
        defaultValue={emailStrings.testSubject(workspace.slug)}
      />
    </DialogForm>
  );
}
