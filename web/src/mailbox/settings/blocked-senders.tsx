import '../../ui/layout/layout.css';
import { runMutation } from '../../graphql/client.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { useAction, useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Form, getText } from '../../ui/form/form.tsx';
import { Timestamp } from '../../ui/layout/timestamp.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { assertOk } from '../mail-outcome.ts';
import { MailSenderBlockDocument, MailSenderUnblockDocument } from '../sender/generated.ts';
import { MailBlockedDocument } from './generated.ts';
import { settingsStrings } from './strings.ts';

export function BlockedSenders({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailBlockedDocument, { mailbox });
  const blocking = useFormAction();
  const unblocking = useAction();
  const block = (form: FormData, element: HTMLFormElement) =>
    blocking.act(async () => {
      const email = getText(form, 'email');
      assertOk((await runMutation(MailSenderBlockDocument, { mailbox, email })).mailSenderBlock);
      element.reset();
      reload();
    });
  const unblock = (email: string) =>
    unblocking.act(async () => {
      assertOk((await runMutation(MailSenderUnblockDocument, { mailbox, email })).mailSenderUnblock);
      showToast(settingsStrings.unblocked(email));
      reload();
    });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { blocked, totalIsAtLeast } = data.mailBlocked;
  return (
    <>
      <Form className="mail-settings-add" onSubmit={block}>
        <Field
          type="email"
          name="email"
          label={settingsStrings.blockAddress}
          required
          autoComplete="off"
          error={blocking.refusal?.message}
        />
        <Button type="submit" look="primary">
          {settingsStrings.block}
        </Button>
      </Form>
      {blocked.length === 0 && (
        <EmptyState title={settingsStrings.noBlockedSenders}>
          <p>{settingsStrings.noBlockedSendersText}</p>
        </EmptyState>
      )}
      <ul className="card-list">
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
