import { runMutation } from '../../graphql/client.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, TextArea } from '../../ui/field.tsx';
import { Form, getText } from '../../ui/form/form.tsx';
import { FormError } from '../../ui/form-error.tsx';
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
  const { isBusy, refusal, expectedVersion, setExpectedVersion, act } = useFormAction(now.version);
  const save = (form: FormData) =>
    act(async () => {
      const data = {
        active: form.has('active'),
        subject: getText(form, 'subject'),
        body: String(form.get('body')),
        from: getText(form, 'from'),
        until: getText(form, 'until'),
      };
      const variables = { mailbox, data, expectedVersion };
      const { mailAutoReplySave } = await runMutation(MailAutoReplySaveDocument, variables);
      setExpectedVersion(assertOk(mailAutoReplySave).version!);
      showToast(settingsStrings.saved);
      reload();
    });
  return (
    <Form className="card mail-settings-form" onSubmit={save}>
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
      <FormError message={refusal?.message} />
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {settingsStrings.save}
        </Button>
      </div>
    </Form>
  );
}
