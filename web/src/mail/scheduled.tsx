import './mail.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveChanges } from '../graphql/live.ts';
import { formatInstant } from '../i18n/format.ts';
import { Loading } from '../shell/loading.tsx';
import { LoadError, Screen } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { MailScheduledDocument, type MailScheduledQuery } from './generated.ts';
import { undoSend } from './undo-send.ts';
import { mailWords } from './words.ts';

/** Messages that are to be sent later, the next one first, and those that could not be sent. */
export function Scheduled() {
  const { data, refusal, reload } = useGraphqlQuery(MailScheduledDocument, {});
  useLiveChanges('svc.mail.outgoing', reload);
  const waiting = data?.outgoingMessages;
  return (
    <Screen title={mailWords.scheduled} needs="mailState">
      <p>
        <Link to="/mail">{mailWords.toInbox}</Link>
      </p>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <Loading />}
      {waiting?.totalCount === 0 && (
        <EmptyState title={mailWords.noScheduled}>
          <p>{mailWords.noScheduledText}</p>
        </EmptyState>
      )}
      <ul className="mail-scheduled">
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
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    const isBack = await undoSend(id);
    setBusy(false);
    if (isBack) await navigate({ to: '/mail/$mailbox/$folder', params: { mailbox, folder: 'drafts' } });
    else reload();
  };
  return (
    <li className="card">
      <div>
        <strong dir="auto">{subject || mailWords.noSubject}</strong>
        <p className="quiet small">
          {mailWords.to} {to}
        </p>
        {state === 'FAILED' ? (
          <p className="wrong small">{mailWords.notSent(error ?? '')}</p>
        ) : (
          <time className="small" dateTime={sendAt}>
            {mailWords.sendsAt(formatInstant(sendAt))}
          </time>
        )}
      </div>
      <Button isBusy={isBusy} aria-label={mailWords.cancelSendNamed(subject)} onClick={() => void cancel()}>
        {mailWords.cancelSend}
      </Button>
    </li>
  );
}
