import './mail.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatInstant } from '../i18n/format.ts';
import { LoadStatus } from '../shell/loading.tsx';
import { Screen } from '../shell/screen.tsx';
import { useLiveQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { MailScheduledDocument, type MailScheduledQuery } from './generated.ts';
import { mailStrings } from './strings.ts';
import { undoSend } from './undo-send.ts';

export function Scheduled() {
  const { data, refusal, reload } = useLiveQuery(MailScheduledDocument, {}, 'svc.mail.outgoing');
  const waiting = data?.outgoingMessages;
  return (
    <Screen title={mailStrings.scheduled}>
      <p>
        <Link to="/mail">{mailStrings.goToInbox}</Link>
      </p>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {waiting?.totalCount === 0 && (
        <EmptyState title={mailStrings.noScheduled} text={mailStrings.noScheduledText} />
      )}
      <ul className="card-list">
        {waiting?.nodes.map((message) => (
          <ScheduledRow key={message.id} message={message} reload={reload} />
        ))}
      </ul>
    </Screen>
  );
}

interface ScheduledRowProps {
  message: MailScheduledQuery['outgoingMessages']['nodes'][number];
  reload(): void;
}

function ScheduledRow({
  message: { id, mailbox, to, subject, sendAt, state, error },
  reload,
}: ScheduledRowProps) {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const cancel = async () => {
    setIsBusy(true);
    const isBack = await undoSend(id);
    setIsBusy(false);
    if (isBack) await navigate({ to: '/mail/$mailbox/$folder', params: { mailbox, folder: 'drafts' } });
    else reload();
  };
  return (
    <li className="card">
      <div>
        <strong dir="auto">{subject || mailStrings.noSubject}</strong>
        <p className="quiet small">
          {mailStrings.to} {to}
        </p>
        {state === 'FAILED' ? (
          <p className="wrong small">{mailStrings.notSent(error ?? '')}</p>
        ) : (
          <time className="small" dateTime={sendAt}>
            {mailStrings.sendsAt(formatInstant(sendAt))}
          </time>
        )}
      </div>
      <Button isBusy={isBusy} aria-label={mailStrings.cancelSendNamed(subject)} onClick={() => void cancel()}>
        {mailStrings.cancelSend}
      </Button>
    </li>
  );
}
