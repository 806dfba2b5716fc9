import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatWhen } from '../i18n/format.ts';
import { Loading } from '../shell/loading.tsx';
import { LoadError } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { MoreMenu } from '../ui/layout/more-menu.tsx';
import { useNarrowScreen } from '../ui/layout/use-narrow-screen.ts';
import type { MailActions } from './actions.ts';
import { isFeatureOn, type MailState } from './address.ts';
import type { MailCommands } from './commands/mail-commands.ts';
import type { ReplyMode } from './composers.ts';
import { MailMessageDocument } from './generated.ts';
import { Labels } from './labels.tsx';
import { getPersonName, MessageView, type MessageViewProps, type OpenMessage } from './message-view.tsx';
import { SenderCard } from './sender/sender-card.tsx';
import { mailStrings } from './strings.ts';

interface ReaderProps {
  id: string;
  state: MailState;
  changes: number;
  actions: MailActions;
  commands: MailCommands;
  answer(mode: ReplyMode): void;
  open(id: string): void;
  close(): void;
}

export function Reader({ id, state, changes, actions, commands, answer, open, close }: ReaderProps) {
  const { message, isMissing, isLoading, refusal, reload } = useOpenMessage(id, changes, actions);
  const mailbox = message && state.folders.find((folder) => folder.id === message.folderId)?.accountId;
  const labelIds = new Set(message?.labels.nodes.map((label) => label.id));
  return (
    <section className="reader" aria-label={mailStrings.message}>
      <div className="reader-tools">
        <IconButton icon="close" label={mailStrings.back} onClick={close} />
        <MessageTools message={message} commands={commands} answer={answer}>
          {isFeatureOn(state, 'mail.rules') && mailbox && (
            <FilterSimilarLink mailbox={mailbox} message={id} />
          )}
        </MessageTools>
      </div>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {isLoading && <Loading />}
      {isMissing && (
        <EmptyState title={mailStrings.messageNotFound}>
          <Button onClick={close}>{mailStrings.back}</Button>
        </EmptyState>
      )}
      {message && (
        <>
          <h2 dir="auto">{message.subject || mailStrings.noSubject}</h2>
          <Labels labels={state.labels.filter((label) => labelIds.has(label.id))} />
          <Conversation
            message={message}
            open={open}
            card={(card) =>
              mailbox &&
              message.from && (
                <SenderCard
                  id={card}
                  {...message.from}
                  mailbox={mailbox}
                  folder={message.folderId}
                  canSearch={isFeatureOn(state, 'mail.search')}
                />
              )
            }
          />
        </>
      )}
    </section>
  );
}

/** Loads a message and marks it as read once. Reloads it after changes. */
function useOpenMessage(id: string, changes: number, actions: MailActions) {
  const { data, refusal, reload } = useGraphqlQuery(MailMessageDocument, { id });
  const message = data?.mailMessage;
  const isUnread = message?.isRead === false;
  const hasMarked = useRef(false);
  useEffect(() => {
    if (!isUnread || hasMarked.current) return;
    hasMarked.current = true;
    void actions.change([id], { vals: { isRead: true } }).then(reload);
  }, [isUnread, id, actions, reload]);
  const latestReload = useRef(reload);
  latestReload.current = reload;
  useEffect(() => {
    if (changes > 0) latestReload.current();
  }, [changes]);
  const isMissing = data !== undefined && !message;
  return { message, isMissing, isLoading: !data && !refusal, refusal, reload };
}

interface MessageToolsProps extends Pick<ReaderProps, 'commands' | 'answer'> {
  message: OpenMessage | null | undefined;
  children: ReactNode;
}

/** The tools fit into one row of a phone, which shows the rarer ones in a menu. */
function MessageTools({ message, commands, answer, children }: MessageToolsProps) {
  const isNarrow = useNarrowScreen();
  const answers = (
    <>
      <Button onClick={() => answer('reply_all')}>{mailStrings.replyAll}</Button>
      <Button icon="forward" onClick={() => answer('forward')}>
        {mailStrings.forward}
      </Button>
    </>
  );
  const changes = (
    <>
      <IconButton icon="spam" label={mailStrings.spam} onClick={commands.spam} />
      {message && (
        <IconButton
          icon="star"
          label={message.isStarred ? mailStrings.unstar : mailStrings.star}
          aria-pressed={message.isStarred}
          onClick={() => commands.star(!message.isStarred)}
        />
      )}
      <IconButton icon="mail" label={mailStrings.markUnread} onClick={() => commands.read(false)} />
      <Button onClick={commands.askMove}>{mailStrings.moveTo}…</Button>
      <Button icon="label" onClick={commands.askLabels}>
        {mailStrings.labels}…
      </Button>
      {children}
    </>
  );
  return (
    <>
      <Button icon="reply" onClick={() => answer('reply')}>
        {mailStrings.reply}
      </Button>
      {!isNarrow && answers}
      {isNarrow ? (
        <IconButton icon="archive" label={mailStrings.archive} onClick={commands.archive} />
      ) : (
        <Button icon="archive" onClick={commands.archive}>
          {mailStrings.archive}
        </Button>
      )}
      <IconButton icon="trash" label={mailStrings.trash} onClick={commands.trash} />
      {isNarrow ? (
        <MoreMenu isIcon>
          {answers}
          {changes}
        </MoreMenu>
      ) : (
        changes
      )}
    </>
  );
}

const FilterSimilarLink = ({ mailbox, message }: { mailbox: string; message: string }) => (
  <Link
    className="button plain"
    to="/mail/settings/$section"
    params={{ section: 'rules' }}
    search={{ mailbox: Number(mailbox), rule: 'new', like: Number(message) }}
  >
    {mailStrings.filterSimilar}
  </Link>
);

interface ConversationProps extends MessageViewProps {
  open(id: string): void;
}

/** Shows the conversation, oldest message first. Only the open message is shown in full. */
function Conversation({ message, open, card }: ConversationProps) {
  const messages = message.thread?.messages ?? [];
  if (messages.length < 2) return <MessageView message={message} card={card} />;
  return (
    <ol className="conversation" aria-label={mailStrings.conversation}>
      {messages.map((item) => (
        <li key={item.id}>
          {item.id === message.id ? (
            <MessageView message={message} card={card} />
          ) : (
            <button
              type="button"
              className={item.isRead ? 'other' : 'other unread'}
              onClick={() => open(item.id)}
            >
              <span className="who">{getPersonName(item.from)}</span>
              <span className="quiet preview">{item.preview}</span>
              <time className="quiet small" dateTime={item.date}>
                {formatWhen(item.date)}
              </time>
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}
