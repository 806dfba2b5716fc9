import { type ReactNode, useId, useState } from 'react';
import { formatInstant, formatSize } from '../i18n/format.ts';
import { Loading } from '../shell/loading.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { HtmlFrame } from '../ui/html-frame.tsx';
import { Icon } from '../ui/icon.tsx';
import type { MailMessageQuery } from './generated.ts';
import { MessageNotices } from './message-notices.tsx';
import { mailStrings } from './strings.ts';

export type OpenMessage = NonNullable<MailMessageQuery['mailMessage']>;

type Person = { name: string; email: string };

export interface MessageViewProps {
  message: OpenMessage;
  /**
   * Renders the sender's card.
   * @param id the card's element id
   */
  card(id: string): ReactNode;
}

export function MessageView({ message, card }: MessageViewProps) {
  const { id, from, to, cc, date, attachments, verdicts, encryption, autoReply } = message;
  const [showsImages, setShowsImages] = useState(false);
  const [images, setImages] = useState<string>();
  const [isCardOpen, setIsCardOpen] = useState(false);
  const cardId = useId();
  const files = (attachments ?? []).filter(({ inline }) => !inline);
  return (
    <article className="stack">
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
          <span className="grow">{mailStrings.imagesHidden}</span>
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
        <ul className="files" aria-label={mailStrings.attachments}>
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

export const getPersonName = (person: Person | null | undefined): string =>
  person?.name || person?.email || '';

const formatPeople = (all: readonly Person[]): string =>
  all.map(({ name, email }) => (name ? `${name} <${email}>` : email)).join(', ');
