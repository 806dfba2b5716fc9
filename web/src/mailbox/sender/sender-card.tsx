import { ActionButton } from '../../shell/action-buttons.tsx';
import './sender-card.css';
import { Link } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { formatCount } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { assertOk } from '../mail-outcome.ts';
import { mailStrings } from '../strings.ts';
import {
  MailContactAddDocument,
  MailOfSenderDocument,
  MailSenderBlockDocument,
  MailSenderDocument,
  MailSenderUnblockDocument,
} from './generated.ts';

interface SenderCardProps {
  id: string;
  name: string;
  email: string;
  mailbox: string;
  folder: string;
  /** True if search is enabled, so that the sender's messages can be counted. */
  canSearch: boolean;
}

/** Shows a sender's status in the mailbox, with actions such as blocking. */
export function SenderCard({ id, name, email, mailbox, folder, canSearch }: SenderCardProps) {
  const { data, refusal, reload } = useGraphqlQuery(MailSenderDocument, { mailbox, email });
  const sender = data?.mailSender;
  const add = async () => {
    const contact = { email, name: name || null };
    assertOk((await runMutation(MailContactAddDocument, contact)).mailContactAdd);
    reload();
  };
  const block = async () => {
    assertOk((await runMutation(MailSenderBlockDocument, { mailbox, email })).mailSenderBlock);
    reload();
  };
  const unblock = async () => {
    assertOk((await runMutation(MailSenderUnblockDocument, { mailbox, email })).mailSenderUnblock);
    reload();
  };
  return (
    <section id={id} className="sender-card small" aria-label={mailStrings.sender}>
      {!sender && <LoadStatus refusal={refusal} onAgain={reload} />}
      {sender && (
        <>
          <p role="status">
            {sender.isOwn
              ? mailStrings.ownAddress
              : sender.isContact
                ? mailStrings.isContact
                : mailStrings.noContact}
            {sender.isBlocked && ` ${mailStrings.isBlocked}`}
          </p>
          {canSearch && <SenderMessages email={email} mailbox={mailbox} folder={folder} />}
          <div className="buttons">
            {sender.contactId && (
              <Link
                className="button"
                to="/records/$model/$id"
                params={{ model: 'res.partner', id: sender.contactId }}
              >
                {mailStrings.openContact}
              </Link>
            )}
            {sender.canAddContact && <ActionButton onAct={add}>{mailStrings.addContact}</ActionButton>}
            {sender.canBlock && <ActionButton onAct={block}>{mailStrings.block}</ActionButton>}
            {sender.canUnblock && <ActionButton onAct={unblock}>{mailStrings.unblock}</ActionButton>}
          </div>
        </>
      )}
    </section>
  );
}

type SenderMessagesProps = Pick<SenderCardProps, 'email' | 'mailbox' | 'folder'>;

/** Links the number of the sender's messages to a search. */
function SenderMessages({ email, mailbox, folder }: SenderMessagesProps) {
  const from = `from:${email}`;
  const { data } = useGraphqlQuery(MailOfSenderDocument, { folder, search: from });
  if (!data) return null;
  const { count, countIsAtLeast } = data.mailEntries;
  return (
    <p>
      <Link
        to="/mail/$mailbox/$folder"
        params={{ mailbox, folder: 'inbox' }}
        search={{ q: `${from} in:anywhere` }}
      >
        {formatCount(count, countIsAtLeast ? mailStrings.senderAtLeast : mailStrings.senderCount)}
      </Link>
    </p>
  );
}
