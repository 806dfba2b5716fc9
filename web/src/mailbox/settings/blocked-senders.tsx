import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { getChangeError, reportOutcome } from './change-outcome.ts';
import { MailBlockedDocument, MailSenderBlockDocument, MailSenderUnblockDocument } from './generated.ts';
import { settingsStrings } from './strings.ts';

export function BlockedSenders({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailBlockedDocument, { mailbox });
  const [error, setError] = useState<string | null>(null);
  const block = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const email = String(new FormData(form).get('email')).trim();
    const change = runMutation(MailSenderBlockDocument, { mailbox, email });
    const error = await getChangeError(change.then(({ mailSenderBlock }) => mailSenderBlock));
    setError(error);
    if (error !== null) return;
    form.reset();
    reload();
  };
  const unblock = async (email: string) => {
    const change = runMutation(MailSenderUnblockDocument, { mailbox, email });
    if (!(await reportOutcome(change.then(({ mailSenderUnblock }) => mailSenderUnblock)))) return;
    showToast(settingsStrings.unblocked(email));
    reload();
  };
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data) return <Loading />;
  const { blocked, totalIsAtLeast } = data.mailBlocked;
  return (
    <>
      <form className="mail-settings-add" onSubmit={block}>
        <Field
          type="email"
          name="email"
          label={settingsStrings.blockAddress}
          required
          autoComplete="off"
          error={error}
        />
        <Button type="submit" look="primary">
          {settingsStrings.block}
        </Button>
      </form>
      {blocked.length === 0 && (
        <EmptyState title={settingsStrings.noBlockedSenders}>
          <p>{settingsStrings.noBlockedSendersText}</p>
        </EmptyState>
      )}
      <ul className="mail-settings-list">
        {blocked.map(({ email, blockedAt }) => (
          <li key={email} className="card">
            <span className="grow">{email}</span>
            <Timestamp at={blockedAt} />
            <Button aria-label={settingsStrings.unblockNamed(email)} onClick={() => void unblock(email)}>
              {settingsStrings.unblock}
            </Button>
          </li>
        ))}
      </ul>
      {totalIsAtLeast && <p className="quiet">{settingsStrings.moreBlockedSenders}</p>}
    </>
  );
}
