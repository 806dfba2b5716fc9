import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Loading } from '../../shell/loading.tsx';
import { Failed } from '../../shell/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, TextField, Tick } from '../../ui/field.tsx';
import { say } from '../../ui/toasts.tsx';
import { MailAutoReplyDocument, type MailAutoReplyQuery, MailAutoReplySaveDocument } from './generated.ts';
import { wrongOf } from './outcome.ts';
import { settingsWords } from './words.ts';

/** What a mailbox answers by itself, and on which days. */
export function AutoReply({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useAnswer(MailAutoReplyDocument, { mailbox });
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <Loading />;
  return <Form mailbox={mailbox} now={data.mailAutoReply} reload={reload} />;
}

interface FormProps {
  mailbox: string;
  now: MailAutoReplyQuery['mailAutoReply'];
  reload(): void;
}

function Form({ mailbox, now, reload }: FormProps) {
  const [wrong, setWrong] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name));
    setBusy(true);
    const data = {
      active: given.has('active'),
      subject: text('subject'),
      body: text('body'),
      from: text('from'),
      until: text('until'),
    };
    const asked = change(MailAutoReplySaveDocument, { mailbox, data });
    const refused = await wrongOf(asked.then(({ mailAutoReplySave }) => mailAutoReplySave));
    setBusy(false);
    setWrong(refused);
    if (refused !== null) return;
    say(settingsWords.saved);
    reload();
  };
  return (
    <form className="card mail-settings-form" onSubmit={save}>
      <p role="status">{now.running ? settingsWords.running : settingsWords.notRunning}</p>
      <Tick name="active" label={settingsWords.autoReplyOn} defaultChecked={now.active} />
      <div className="rule-part">
        <Field type="date" name="from" label={settingsWords.firstDay} defaultValue={now.from} />
        <Field type="date" name="until" label={settingsWords.lastDay} defaultValue={now.until} />
      </div>
      <Field
        name="subject"
        label={settingsWords.subject}
        hint={settingsWords.subjectHint}
        defaultValue={now.subject}
        maxLength={150}
        autoComplete="off"
      />
      <TextField
        name="body"
        label={settingsWords.text}
        hint={settingsWords.autoReplyHint}
        defaultValue={now.body}
        maxLength={4000}
        rows={8}
        dir="auto"
      />
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {settingsWords.save}
        </Button>
      </div>
    </form>
  );
}
