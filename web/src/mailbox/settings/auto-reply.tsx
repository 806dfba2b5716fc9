import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, TextArea } from '../../ui/field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { getChangeError } from './change-outcome.ts';
import { MailAutoReplyDocument, type MailAutoReplyQuery, MailAutoReplySaveDocument } from './generated.ts';
import { settingsStrings } from './strings.ts';

export function AutoReply({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailAutoReplyDocument, { mailbox });
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data) return <Loading />;
  return <AutoReplyForm mailbox={mailbox} now={data.mailAutoReply} reload={reload} />;
}

interface AutoReplyFormProps {
  mailbox: string;
  now: MailAutoReplyQuery['mailAutoReply'];
  reload(): void;
}

function AutoReplyForm({ mailbox, now, reload }: AutoReplyFormProps) {
  const [formError, setFormError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    const getText = (name: string) => String(formData.get(name));
    setIsBusy(true);
    const data = {
      active: formData.has('active'),
      subject: getText('subject'),
      body: getText('body'),
      from: getText('from'),
      until: getText('until'),
    };
    const request = runMutation(MailAutoReplySaveDocument, { mailbox, data });
    const error = await getChangeError(request.then(({ mailAutoReplySave }) => mailAutoReplySave));
    setIsBusy(false);
    setFormError(error);
    if (error !== null) return;
    showToast(settingsStrings.saved);
    reload();
  };
  return (
    <form className="card mail-settings-form" onSubmit={save}>
      <p role="status">{now.running ? settingsStrings.autoReplyActive : settingsStrings.autoReplyInactive}</p>
      <Checkbox name="active" label={settingsStrings.turnOnAutoReply} defaultChecked={now.active} />
      <div className="rule-part">
        <Field type="date" name="from" label={settingsStrings.firstDay} defaultValue={now.from} />
        <Field type="date" name="until" label={settingsStrings.lastDay} defaultValue={now.until} />
      </div>
      <Field
        name="subject"
        label={settingsStrings.subject}
        hint={settingsStrings.subjectHint}
        defaultValue={now.subject}
        maxLength={150}
        autoComplete="off"
      />
      <TextArea
        name="body"
        label={settingsStrings.text}
        hint={settingsStrings.autoReplyHint}
        defaultValue={now.body}
        maxLength={4000}
        rows={8}
        dir="auto"
      />
      <FormError message={formError} />
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {settingsStrings.save}
        </Button>
      </div>
    </form>
  );
}
