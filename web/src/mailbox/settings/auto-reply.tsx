import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { ActionForm } from '../../shell/action-form.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Checkbox, Field, TextArea } from '../../ui/form/field.tsx';
import { getText, isEditedSince } from '../../ui/form/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { assertOk } from '../mail-outcome.ts';
import { MailAutoReplyDocument, type MailAutoReplyQuery, MailAutoReplySaveDocument } from './generated.ts';
import { settingsStrings } from './strings.ts';

export function AutoReply({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailAutoReplyDocument, { mailbox });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  return <AutoReplyForm mailbox={mailbox} now={data.mailAutoReply} reload={reload} />;
}

interface AutoReplyFormProps {
  mailbox: string;
  now: MailAutoReplyQuery['mailAutoReply'];
  reload(): void;
}

function AutoReplyForm({ mailbox, now, reload }: AutoReplyFormProps) {
  const [isDirty, setIsDirty] = useState(false);
  const save = async (form: FormData, expectedVersion: number | undefined, element: HTMLFormElement) => {
    const data = {
      active: form.has('active'),
      subject: getText(form, 'subject'),
      body: String(form.get('body')),
      from: getText(form, 'from'),
      until: getText(form, 'until'),
    };
    const variables = { mailbox, data, expectedVersion };
    const { mailAutoReplySave } = await runMutation(MailAutoReplySaveDocument, variables);
    const { version } = assertOk(mailAutoReplySave);
    setIsDirty(isEditedSince(form, element));
    showToast(settingsStrings.saved);
    reload();
    return version;
  };
  return (
    <ActionForm
      version={now.version}
      className="card mail-settings-form"
      submit={settingsStrings.save}
      onSubmit={save}
      onChange={() => setIsDirty(true)}
    >
      <UnsavedGuard isDirty={isDirty} />
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
    </ActionForm>
  );
}
