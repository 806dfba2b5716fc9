import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { formatInstant, formatSize, formatWhen } from '../i18n/format.ts';
import { Loading } from '../shell/loading.tsx';
import { LoadError } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { HtmlFrame } from '../ui/html-frame.tsx';
import { Icon } from '../ui/icon.tsx';
import type { MailActions } from './actions.ts';
import type { Label } from './address.ts';
import type { ReplyMode } from './composers.ts';
import { MailMessageDocument, type MailMessageQuery } from './generated.ts';
import { Labels } from './labels.tsx';
import type { MailCommands } from './mail-commands.ts';
import { MessageNotices } from './message-notices.tsx';
import { SenderCard } from './sender/sender-card.tsx';
import { mailStrings } from './strings.ts';

type Message = NonNullable<MailMessageQuery['mailMessage']>;

interface ReaderProps {
  id: string;
  mailboxOf(folder: string): string | undefined;
  labels: readonly Label[];
  /** True if the mailbox has rules enabled. */
  hasRules: boolean;
  /** True if search is enabled. */
  canSearch: boolean;
  /** Incremented after each change since the message was opened. */
  changes: number;
  actions: MailActions;
  commands: MailCommands;
  answer(mode: ReplyMode): void;
  open(id: string): void;
  close(): void;
}

/** A message with its conversation. Opening it marks it as read. */
export function Reader(props: ReaderProps) {
  const { id, mailboxOf, labels, hasRules, canSearch, changes, actions, commands, answer, open, close } =
    props;
  const { data, refusal, reload } = useGraphqlQuery(MailMessageDocument, { id });
  const message = data?.mailMessage;
  const mailbox = message && mailboxOf(message.folderId);
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
  return (
    <section className="reader" aria-label={mailStrings.message}>
      <div className="reader-tools">
        <IconButton icon="close" label={mailStrings.back} onClick={close} />
        <Button icon="reply" onClick={() => answer('reply')}>
          {mailStrings.reply}
        </Button>
        <Button onClick={() => answer('reply_all')}>{mailStrings.replyAll}</Button>
        <Button icon="forward" onClick={() => answer('forward')}>
          {mailStrings.forward}
        </Button>
        <Button icon="archive" onClick={commands.archive}>
          {mailStrings.archive}
        </Button>
        <IconButton icon="trash" label={mailStrings.trash} onClick={commands.trash} />
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
        {hasRules && mailbox && (
          <Link
            className="button plain"
            to="/mail/settings/$section"
            params={{ section: 'rules' }}
            search={{ mailbox: Number(mailbox), rule: 'new', like: Number(id) }}
          >
            {mailStrings.filterSimilar}
          </Link>
        )}
      </div>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <Loading />}
      {data && !message && (
        <EmptyState title={mailStrings.messageNotFound}>
          <Button onClick={close}>{mailStrings.back}</Button>
        </EmptyState>
      )}
      {message && (
        <>
          <h2 dir="auto">{message.subject || mailStrings.noSubject}</h2>
          <Labels labels={labels.filter((label) => message.labels.nodes.some(({ id }) => id === label.id))} />
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
                  canSearch={canSearch}
                />
              )
            }
          />
        </>
      )}
    </section>
  );
}

interface MessageViewProps {
  message: Message;
  /**
   * Renders the card of the sender.
   *
   * @param id id of the card's element
   */
  card(id: string): ReactNode;
}

interface ConversationProps extends MessageViewProps {
  open(id: string): void;
}

/** The conversation, oldest first: the open message in full and the others as previews. */
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

type Person = { name: string; email: string };

const getPersonName = (person: Person | null | undefined): string => person?.name || person?.email || '';

const formatPeople = (all: readonly Person[]): string =>
  all.map(({ name, email }) => (name ? `${name} <${email}>` : email)).join(', ');

function MessageView({ message, card }: MessageViewProps) {
  const { id, from, to, cc, date, attachments, verdicts, encryption, autoReply } = message;
  const [showsImages, setShowsImages] = useState(false);
  const [images, setImages] = useState<string>();
  const [isCardOpen, setIsCardOpen] = useState(false);
  const cardId = useId();
  const files = (attachments ?? []).filter(({ inline }) => !inline);
  return (
    <article>
      <header className="message-head">
        <p>
          <strong>{getPersonName(from)}</strong>
          {from?.name && <span className="quiet">&lt;{from.email}&gt;</span>}
          {from && (
            <IconButton
              icon="user"
              label={mailStrings.aboutSender}
              aria-expanded={isCardOpen}
              aria-controls={isCardOpen ? cardId : undefined}
              onClick={() => setIsCardOpen(!isCardOpen)}
            />
          )}
        </p>
        {isCardOpen && card(cardId)}
        <p className="quiet small">
          {mailStrings.to} {formatPeople(to)}
          {cc.length > 0 && ` · ${mailStrings.cc} ${formatPeople(cc)}`}
        </p>
        <time className="quiet small" dateTime={date}>
          {formatInstant(date)}
        </time>
        {autoReply && <p className="quiet small">{mailStrings.autoReply[autoReply]}</p>}
      </header>
      <MessageNotices id={id} from={from} verdicts={verdicts} encryption={encryption} />
      {images === 'hidden' && (
        <p className="message-notice small">
          <span>{mailStrings.imagesHidden}</span>
          <Button onClick={() => setShowsImages(true)}>{mailStrings.showImages}</Button>
        </p>
      )}
      {images === undefined && <Loading />}
      <HtmlFrame
        src={`/mail/body/${id}${showsImages ? '?images=show' : ''}`}
        title={mailStrings.body}
        onShown={({ dataset }) => setImages(dataset.images ?? 'none')}
      />
      {files.length > 0 && (
        <ul className="files" aria-label={mailStrings.files}>
          {files.map(({ id: file, number, name, size }) => (
            <li key={file}>
              <a className="button" href={`/mail/part/${id}/${number}`} download={name}>
                <Icon name="file" /> {name} <span className="size quiet small">{formatSize(size)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
