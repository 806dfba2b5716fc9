import { runMutation } from '../../graphql/client.ts';
import { ActionButton } from '../../shell/action-buttons.tsx';
import { ActionForm } from '../../shell/action-form.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { Timestamp } from '../../ui/layout/timestamp.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { assertOk } from '../mail-outcome.ts';
import { MailSenderBlockDocument, MailSenderUnblockDocument } from '../sender/generated.ts';
import { MailBlockedDocument } from './generated.ts';
import { settingsStrings } from './strings.ts';

export function BlockedSenders({ mailbox }: { mailbox: string }) {
  const { data, refusal, reload } = useGraphqlQuery(MailBlockedDocument, { mailbox });
  const block = async (form: FormData, _version: number | undefined, element: HTMLFormElement) => {
    const email = getText(form, 'email');
    assertOk((await runMutation(MailSenderBlockDocument, { mailbox, email })).mailSenderBlock);
    element.reset();
    reload();
  };
  const unblock = async (email: string) => {
    assertOk((await runMutation(MailSenderUnblockDocument, { mailbox, email })).mailSenderUnblock);
    showToast(settingsStrings.unblocked(email));
    reload();
  };
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { blocked, totalIsAtLeast } = data.mailBlocked;
  return (
    <>
      <ActionForm
        className="mail-settings-add"
        submit={settingsStrings.block}
        errorField="email"
        onSubmit={block}
      >
        <Field type="email" name="email" label={settingsStrings.blockAddress} required />
      </ActionForm>
      {blocked.length === 0 && (
        <EmptyState title={settingsStrings.noBlockedSenders} text={settingsStrings.noBlockedSendersText} />
      )}
      <ul className="card-list">
        {blocked.map(({ email, blockedAt }) => (
          <li key={email} className="card">
            <span className="grow">{email}</span>
            <Timestamp at={blockedAt} />
            <ActionButton aria-label={settingsStrings.unblockNamed(email)} onAct={() => unblock(email)}>
              {settingsStrings.unblock}
            </ActionButton>
          </li>
        ))}
      </ul>
      {totalIsAtLeast && <p className="quiet">{settingsStrings.moreBlockedSenders}</p>}
    </>
  );
}
