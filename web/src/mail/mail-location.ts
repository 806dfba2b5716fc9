import { type Folder, findFolder, getFolders, type Label } from './address.ts';

/** What a list shows: a folder, what has a star or a label wherever it lies, or the same of all mailboxes. */
export interface MailLocation {
  kind: 'folder' | 'starred' | 'label' | 'all';
  /** How it stands in an address. */
  name: string;
  /** Mailbox; null for all of them. */
  mailbox: string | null;
  /** The folder; where it is none, the Inbox of the mailbox, which stands for it. */
  folder: Folder;
  /** Whether messages of other folders are listed too. */
  allFolders: boolean;
  label: Label | null;
  /** A search that the list itself is. */
  within: string | null;
}

/** The mailbox of an address that means all of them. */
export const ALL_MAILBOXES = 'all';

/** What has a star, wherever it lies. */
export const STARRED = 'starred';

/** Lists of all mailboxes; those that are searches, with their text. */
export const UNIFIED_LISTS: ReadonlyMap<string, string | null> = new Map([
  ['inbox', null],
  [STARRED, 'is:starred'],
  ['sent', 'in:sent'],
  ['archive', 'in:archive'],
  ['spam', 'in:spam'],
  ['trash', 'in:trash'],
]);

interface MailboxContents {
  folders: readonly Folder[];
  labels: readonly Label[];
}

/** What an address shows; undefined for what is not there. Pure. */
export function findLocation(
  { folders, labels }: MailboxContents,
  mailbox: string,
  name: string,
  label?: string,
): MailLocation | undefined {
  if (mailbox === ALL_MAILBOXES) return findUnifiedLocation(folders, name);
  const own = getFolders(folders, mailbox);
  const inbox = own.find(({ type }) => type === 'inbox');
  if (!inbox) return undefined;
  const place = { name, mailbox, folder: inbox, allFolders: true, label: null, within: null };
  if (label) {
    const found = labels.find(({ id, accountId }) => id === label && accountId === mailbox);
    return found && { ...place, kind: 'label', name: label, label: found };
  }
  if (name === STARRED) return { ...place, kind: 'starred', within: 'is:starred' };
  const folder = findFolder(folders, mailbox, name);
  return folder && { ...place, kind: 'folder', folder, allFolders: false };
}

function findUnifiedLocation(folders: readonly Folder[], name: string): MailLocation | undefined {
  const inbox = folders.find(({ type }) => type === 'inbox');
  const within = UNIFIED_LISTS.get(name);
  if (!inbox || within === undefined) return undefined;
  return {
    kind: 'all',
    name,
    mailbox: null,
    folder: inbox,
    allFolders: within !== null,
    label: null,
    within,
  };
}

/** What the server is asked to search for: OR binds tighter than what stands beside it. Pure. */
export const buildSearch = (
  { within }: Pick<MailLocation, 'within'>,
  q: string | undefined,
): string | null => (within && q ? `${within} ${q}` : (within ?? q ?? null));
