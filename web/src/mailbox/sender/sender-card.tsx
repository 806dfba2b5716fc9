import './sender-card.css';
import { Link } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { formatCount } from '../../i18n/format.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { mailStrings } from '../strings.ts';
import {
  MailContactAddDocument,
  MailOfSenderDocument,
  MailSenderBlockHereDocument,
  MailSenderDocument,
  MailSenderUnblockHereDocument,
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
  const { isBusy, act } = useAction();
  const sender = data?.mailSender;
  const runChange = (change: Promise<{ ok: boolean; error: string | null }>) =>
    act(async () => {
      const { ok, error } = await change;
      if (!ok) showErrorToast(error ?? '');
      reload();
    });
  const add = () =>
    runChange(
      runMutation(MailContactAddDocument, { email, name: name || null }).then((data) => data.mailContactAdd),
    );
  const block = () =>
    runChange(
      runMutation(MailSenderBlockHereDocument, { mailbox, email }).then((data) => data.mailSenderBlock),
    );
  const unblock = () =>
    runChange(
      runMutation(MailSenderUnblockHereDocument, { mailbox, email }).then((data) => data.mailSenderUnblock),
    );
  return (
    <section id={id} className="sender-card small" aria-label={mailStrings.sender}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!sender && !refusal && <Loading />}
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
            {sender.canAddContact && (
              <Button isBusy={isBusy} onClick={add}>
                {mailStrings.addContact}
              </Button>
            )}
            {sender.canBlock && (
              <Button isBusy={isBusy} onClick={block}>
                {mailStrings.blockSender}
              </Button>
            )}
            {sender.canUnblock && (
              <Button isBusy={isBusy} onClick={unblock}>
                {mailStrings.unblockSender}
              </Button>
            )}
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
