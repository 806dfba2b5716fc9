import { Link, useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import { counted, formatNumber } from '../i18n/format.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/field.tsx';
import { type Folder, folderName, foldersOf, isFeatureOn, type MailState } from './address.ts';
import { LabelDot } from './labels.tsx';
import { ALL, ALL_LISTS, type Place, STARRED } from './place.ts';
import { mailWords } from './words.ts';

interface TreeProps {
  state: MailState;
  /** What is open. */
  place: Place;
  /** Begins a new message. */
  onWrite(): void;
}

/** An entry of the list of folders. */
interface TreeEntry {
  /** The end of its address. */
  name: string;
  title: string;
  unread: number;
  color?: number;
}

/** Mailboxes, and folders and labels of the one that is open; two lists to choose from where there is little room. */
export const FolderTree = memo(function FolderTree({ state, place, onWrite }: TreeProps) {
  const navigate = useNavigate();
  const mailbox = place.mailbox ?? ALL;
  const { folders, labels } = entriesOf(state, place.mailbox);
  const mailboxes = state.accounts.map(({ id, email }) => [id, email] as const);
  const hasAll = state.unifiedInbox && mailboxes.length > 1;
  const go = (to: string, name: string) => void navigate(addressOf(to, name));
  return (
    <div className="mail-folders">
      <Button look="primary" icon="pen" className="mail-write" onClick={onWrite}>
        {mailWords.compose}
      </Button>
      <Choice
        label={mailWords.mailbox}
        value={mailbox}
        options={hasAll || mailbox === ALL ? [[ALL, mailWords.allMailboxes], ...mailboxes] : mailboxes}
        onChange={({ target }) => go(target.value, 'inbox')}
      />
      <div className="mail-narrow">
        <Choice
          label={mailWords.folder}
          value={place.label ? `label/${place.name}` : place.name}
          options={[...folders, ...labels].map((entry) => [entry.name, labelled(entry)] as const)}
          onChange={({ target }) => go(mailbox, target.value)}
        />
      </div>
      <nav className="mail-wide" aria-label={mailWords.folders}>
        <Entries mailbox={mailbox} place={place} entries={folders} />
        {labels.length > 0 && (
          <>
            <h2 className="quiet small">{mailWords.labels}</h2>
            <Entries mailbox={mailbox} place={place} entries={labels} />
          </>
        )}
      </nav>
      <Link to="/mail/scheduled" className="mail-folder">
        {mailWords.scheduled}
      </Link>
      <Link
        to="/mail/settings/$section"
        params={{ section: 'rules' }}
        search={{ mailbox: Number(place.folder.accountId) }}
        className="mail-folder"
      >
        {mailWords.settings}
      </Link>
    </div>
  );
});

interface EntriesProps {
  mailbox: string;
  place: Place;
  entries: readonly TreeEntry[];
}

const Entries = ({ mailbox, place, entries }: EntriesProps) => (
  <ul>
    {entries.map(({ name, title, unread, color }) => (
      <li key={name}>
        <Link
          {...addressOf(mailbox, name)}
          className="mail-folder"
          aria-current={name === (place.label ? `label/${place.name}` : place.name) ? 'page' : undefined}
        >
          {color !== undefined && <LabelDot color={color} />}
          <span className="name">{title}</span>
          {unread > 0 && (
            <span className="figures small">
              <span aria-hidden="true">{formatNumber(unread)}</span>
              <span className="sr">{counted(unread, mailWords.unread)}</span>
            </span>
          )}
        </Link>
      </li>
    ))}
  </ul>
);

function addressOf(mailbox: string, name: string) {
  const [, label] = /^label\/(.+)$/.exec(name) ?? [];
  return label
    ? ({ to: '/mail/$mailbox/label/$label', params: { mailbox, label } } as const)
    : ({ to: '/mail/$mailbox/$folder', params: { mailbox, folder: name } } as const);
}

/** Folders, with what has a star behind the Inbox, and labels. */
function entriesOf(state: MailState, mailbox: string | null): { folders: TreeEntry[]; labels: TreeEntry[] } {
  const canSearch = isFeatureOn(state, 'mail.search');
  if (mailbox === null) {
    const unread = state.accounts.reduce((sum, account) => sum + account.unread, 0);
    const folders = [...ALL_LISTS]
      .filter(([, within]) => within === null || canSearch)
      .map(([name]) => ({ name, title: titleOf(name), unread: name === 'inbox' ? unread : 0 }));
    return { folders, labels: [] };
  }
  const own = foldersOf(state.folders, mailbox).map((folder) => ({
    name: folderName(folder),
    title: nameOf(folder),
    unread: folder.unread,
  }));
  const starred = canSearch ? [{ name: STARRED, title: mailWords.starred, unread: 0 }] : [];
  const labels = state.labels
    .filter(({ accountId }) => accountId === mailbox)
    .map(({ id, name, color }) => ({ name: `label/${id}`, title: name, unread: 0, color }));
  return { folders: [...own.slice(0, 1), ...starred, ...own.slice(1)], labels };
}

const titleOf = (name: string): string =>
  name === STARRED ? mailWords.starred : (mailWords.folderNames[name] ?? name);

/** What a list is called. */
export function placeName({ kind, name, folder, label }: Place): string {
  if (label) return label.name;
  if (kind === 'folder') return nameOf(folder);
  return kind === 'all' ? mailWords.ofAll(titleOf(name)) : titleOf(name);
}

/** What a folder is called: those that every mailbox has, in the language of the page. */
export const nameOf = ({ type, name }: Pick<Folder, 'type' | 'name'>): string =>
  (type && mailWords.folderNames[type]) || name;

const labelled = ({ title, unread }: TreeEntry): string =>
  unread > 0 ? `${title} (${formatNumber(unread)})` : title;
