import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { formatInstant, formatWhen } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Loading } from '../../shell/loading.tsx';
import { Failed } from '../../shell/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { say } from '../../ui/toasts.tsx';
import { MailBlockedDocument, MailSenderBlockDocument, MailSenderUnblockDocument } from './generated.ts';
import { isDone, wrongOf } from './outcome.ts';
import { settingsWords } from './words.ts';

/** Senders whose mail goes to Spam. */
export function BlockedSenders({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useAnswer(MailBlockedDocument, { mailbox });
  const [wrong, setWrong] = useState<string | null>(null);
  const block = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email')).trim();
    const asked = change(MailSenderBlockDocument, { mailbox, email });
    const refused = await wrongOf(asked.then(({ mailSenderBlock }) => mailSenderBlock));
    setWrong(refused);
    if (refused !== null) return;
    form.reset();
    reload();
  };
  const unblock = async (email: string) => {
    const asked = change(MailSenderUnblockDocument, { mailbox, email });
    if (!(await isDone(asked.then(({ mailSenderUnblock }) => mailSenderUnblock)))) return;
    say(settingsWords.unblocked(email));
    reload();
  };
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <Loading />;
  const { blocked, totalIsAtLeast } = data.mailBlocked;
  return (
    <>
      <form className="mail-settings-add" onSubmit={block}>
        <Field
          type="email"
          name="email"
          label={settingsWords.blockAddress}
          required
          autoComplete="off"
          error={wrong}
        />
        <Button type="submit" look="primary">
          {settingsWords.block}
        </Button>
      </form>
      {blocked.length === 0 && (
        <Empty title={settingsWords.noBlocked}>
          <p>{settingsWords.noBlockedText}</p>
        </Empty>
      )}
      <ul className="mail-settings-list">
        {blocked.map(({ email, blockedAt }) => (
          <li key={email} className="card">
            <span className="grow">{email}</span>
            <time className="quiet small" dateTime={blockedAt} title={formatInstant(blockedAt)}>
              {formatWhen(blockedAt)}
            </time>
            <Button aria-label={settingsWords.unblockNamed(email)} onClick={() => void unblock(email)}>
              {settingsWords.unblock}
            </Button>
          </li>
        ))}
      </ul>
      {totalIsAtLeast && <p className="quiet">{settingsWords.moreBlocked}</p>}
    </>
  );
}
