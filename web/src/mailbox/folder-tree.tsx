import { Link, useNavigate } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { formatCount, formatNumber } from '../i18n/format.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/form/field.tsx';
import { PhoneToggle } from '../ui/layout/phone-toggle.tsx';
import { type Folder, getFolderSlug, getFolders, isFeatureOn, type MailState } from './address.ts';
import { LabelDot } from './labels.tsx';
import { ALL_MAILBOXES, type MailLocation, STARRED, UNIFIED_LISTS } from './mail-location.ts';
import { useFolderDrop } from './select/message-drag.ts';
import { mailStrings } from './strings.ts';

interface FolderTreeProps {
  state: MailState;
  location: MailLocation;
  onWrite(): void;
}

interface TreeEntry {
  name: string;
  title: string;
  unread: number;
  color?: number;
  folder?: Folder;
}

/** Shows mailboxes, folders and labels. On narrow screens, shows two drop-downs instead. */
export const FolderTree = memo(function FolderTree({ state, location, onWrite }: FolderTreeProps) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const mailbox = location.mailbox ?? ALL_MAILBOXES;
  const { folders, labels } = buildEntries(state, location.mailbox);
  const mailboxes = state.accounts.map(({ id, email }) => [id, email] as const);
  const hasAll = state.unifiedInbox && mailboxes.length > 1;
  const go = (to: string, name: string) => void navigate(toLink(to, name));
  return (
    <div className={isOpen ? 'mail-folders' : 'mail-folders collapsed'}>
      <Button look="primary" icon="pen" className="mail-write" onClick={onWrite}>
        {mailStrings.compose}
      </Button>
      <Select
        label={mailStrings.mailbox}
        value={mailbox}
        title={mailboxes.find(([name]) => name === mailbox)?.[1]}
        options={
          hasAll || mailbox === ALL_MAILBOXES
            ? [[ALL_MAILBOXES, mailStrings.allMailboxes], ...mailboxes]
            : mailboxes
        }
        onChange={({ target }) => go(target.value, 'inbox')}
      />
      <div className="mail-narrow">
        <Select
          label={mailStrings.folder}
          value={location.label ? `label/${location.name}` : location.name}
          options={[...folders, ...labels].map((entry) => [entry.name, formatEntry(entry)] as const)}
          onChange={({ target }) => go(mailbox, target.value)}
        />
      </div>
      <PhoneToggle label={mailStrings.mailboxAndSettings} isOpen={isOpen} onToggle={setIsOpen} />
      <nav className="mail-wide" aria-label={mailStrings.folders}>
        <Entries mailbox={mailbox} location={location} entries={folders} />
        {labels.length > 0 && (
          <>
            <h2 className="quiet small">{mailStrings.labels}</h2>
            <Entries mailbox={mailbox} location={location} entries={labels} />
          </>
        )}
      </nav>
      <Link to="/mail/scheduled" className="mail-folder">
        {mailStrings.scheduled}
      </Link>
      <Link
        to="/mail/settings/$section"
        params={{ section: 'rules' }}
        search={{ mailbox: Number(location.folder.accountId) }}
        className="mail-folder"
      >
        {mailStrings.mailSettings}
      </Link>
    </div>
  );
});

interface EntriesProps {
  mailbox: string;
  location: MailLocation;
  entries: readonly TreeEntry[];
}

const Entries = ({ mailbox, location, entries }: EntriesProps) => (
  <ul>
    {entries.map((entry) => (
      <li key={entry.name}>
        <Entry
          mailbox={mailbox}
          entry={entry}
          isOpen={entry.name === (location.label ? `label/${location.name}` : location.name)}
        />
      </li>
    ))}
  </ul>
);

interface EntryProps {
  mailbox: string;
  entry: TreeEntry;
  isOpen: boolean;
}

function Entry({ mailbox, entry: { name, title, unread, color, folder }, isOpen }: EntryProps) {
  return (
    <Link
      {...toLink(mailbox, name)}
      className="mail-folder"
      aria-current={isOpen ? 'page' : undefined}
      {...useFolderDrop(folder)}
    >
      {color !== undefined && <LabelDot color={color} />}
      <span className="name">{title}</span>
      {unread > 0 && (
        <span className="figures small">
          <span aria-hidden="true">{formatNumber(unread)}</span>
          <span className="sr">
            {formatCount(unread, name === 'drafts' ? mailStrings.draftCount : mailStrings.unread)}
          </span>
        </span>
      )}
    </Link>
  );
}

function toLink(mailbox: string, name: string) {
  const [, label] = /^label\/(.+)$/.exec(name) ?? [];
  return label
    ? ({ to: '/mail/$mailbox/label/$label', params: { mailbox, label } } as const)
    : ({ to: '/mail/$mailbox/$folder', params: { mailbox, folder: name } } as const);
}

function buildEntries(
  state: MailState,
  mailbox: string | null,
): { folders: TreeEntry[]; labels: TreeEntry[] } {
  const canSearch = isFeatureOn(state, 'mail.search');
  if (mailbox === null) {
    const unread = state.accounts.reduce((sum, account) => sum + account.unread, 0);
    const folders = [...UNIFIED_LISTS]
      .filter(([, within]) => within === null || canSearch)
      .map(([name]) => ({ name, title: getListTitle(name), unread: name === 'inbox' ? unread : 0 }));
    return { folders, labels: [] };
  }
  const folderEntries = getFolders(state.folders, mailbox).map((folder) => ({
    name: getFolderSlug(folder),
    title: getFolderName(folder),
    unread: folder.unread,
    folder,
  }));
  const starred = canSearch ? [{ name: STARRED, title: mailStrings.starred, unread: 0 }] : [];
  const labels = state.labels
    .filter(({ accountId }) => accountId === mailbox)
    .map(({ id, name, color }) => ({ name: `label/${id}`, title: name, unread: 0, color }));
  return { folders: [...folderEntries.slice(0, 1), ...starred, ...folderEntries.slice(1)], labels };
}

const getListTitle = (name: string): string =>
  name === STARRED ? mailStrings.starred : (mailStrings.folderNames[name] ?? name);

export function getLocationName({ kind, name, folder, label }: MailLocation): string {
  if (label) return label.name;
  if (kind === 'folder') return getFolderName(folder);
  return kind === 'all' ? mailStrings.listInAllMailboxes(getListTitle(name)) : getListTitle(name);
}

/** Returns the folder's name, which is translated for a system folder. */
export const getFolderName = ({ type, name }: Pick<Folder, 'type' | 'name'>): string =>
  (type && mailStrings.folderNames[type]) || name;

const formatEntry = ({ title, unread }: TreeEntry): string =>
  unread > 0 ? `${title} (${formatNumber(unread)})` : title;
