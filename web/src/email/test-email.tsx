import './test-email.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { DialogButtons } from '../shell/dialogs/dialog-buttons.tsx';
import { Loading } from '../shell/loading.tsx';
import { useFormAction } from '../shell/use-action.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { FormError } from '../ui/form-error.tsx';
import { showToast } from '../ui/toasts.tsx';
import { EmailTestSendDocument, VerifiedDomainDocument } from './generated.ts';
import { emailStrings } from './strings.ts';

export function TestEmail({ look }: { look?: 'primary' }) {
  const { can } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  if (!can.has('emailSend')) return null;
  return (
    <>
      <Button icon="send" look={look} onClick={() => setIsOpen(true)}>
        {emailStrings.testEmail}
      </Button>
      {isOpen && <TestEmailDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

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
  const { isBusy, act, getFieldError, getFormError } = useFormAction();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [from, to, subject] = ['from', 'to', 'subject'].map((name) => String(form.get(name)).trim());
    void act(async () => {
      const { emailSend } = await runMutation(EmailTestSendDocument, {
        from: from!,
        to: [to!],
        subject: subject!,
        text: emailStrings.testBody,
        html: `<p>${emailStrings.testBody}</p>`,
      });
      showToast(emailStrings.testSent(to!));
      onClose();
      await navigate({ to: '/email/emails', search: { id: emailSend.id } });
    });
  };
  return (
    <form className="test-email" onSubmit={send}>
      <p>{emailStrings.testText}</p>
      <Field
        name="from"
        label={emailStrings.fromAddress}
        required
        defaultValue={`hello@${domain}`}
        error={getFieldError('from')}
      />
      <Field
        name="to"
        type="email"
        label={emailStrings.toAddress}
        hint={emailStrings.testTo}
        required
        autoFocus
        defaultValue={viewer.login?.includes('@') ? viewer.login : ''}
        error={getFieldError('to')}
      />
      <Field
        name="subject"
        label={emailStrings.subject}
        required
        defaultValue={emailStrings.testSubject(workspace.slug)}
        error={getFieldError('subject')}
      />
      <FormError message={getFormError(['from', 'to', 'subject'])} />
      <DialogButtons onClose={onClose}>
        <Button type="submit" look="primary" icon="send" isBusy={isBusy}>
          {emailStrings.send}
        </Button>
      </DialogButtons>
    </form>
  );
}
