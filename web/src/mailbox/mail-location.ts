import { type Folder, findFolder, getFolders, type Label } from './address.ts';

/** A message list: a folder, a mailbox's starred or labeled messages, or a list that spans all mailboxes. */
export interface MailLocation {
  kind: 'folder' | 'starred' | 'label' | 'all';
  name: string;
  mailbox: string | null;
  /** The folder, or the mailbox's Inbox for another kind of list. */
  folder: Folder;
  /** True if the list includes other folders. */
  allFolders: boolean;
  label: Label | null;
  /** Search that defines the list. */
  within: string | null;
}

/** URL segment for all mailboxes. */
export const ALL_MAILBOXES = 'all';

export const STARRED = 'starred';

/** Lists that span all mailboxes, with the searches that define them. */
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

/** Finds the list for a URL. Returns undefined if it does not exist. */
export function findLocation(
  { folders, labels }: MailboxContents,
  mailbox: string,
  name: string,
  label?: string,
): MailLocation | undefined {
  if (mailbox === ALL_MAILBOXES) return findUnifiedLocation(folders, name);
  const mailboxFolders = getFolders(folders, mailbox);
  const inbox = mailboxFolders.find(({ type }) => type === 'inbox');
  if (!inbox) return undefined;
  const place = { name, mailbox, folder: inbox, allFolders: true, label: null, within: null };
  if (label) {
    const matchingLabel = labels.find(({ id, accountId }) => id === label && accountId === mailbox);
    return matchingLabel && { ...place, kind: 'label', name: label, label: matchingLabel };
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

/**
 * Combines the list's search with the user's search. Needs no parentheses, because OR binds tighter than the implicit
 * AND.
 */
export const buildSearch = (
  { within }: Pick<MailLocation, 'within'>,
  q: string | undefined,
): string | null => (within && q ? `${within} ${q}` : (within ?? q ?? null));

/** Returns true if messages of a list can be moved to the folder. */
export const canMoveTo = ({ id, type }: Folder, { kind, folder }: MailLocation): boolean =>
  !(kind === 'folder' && id === folder.id) && type !== 'sent' && type !== 'drafts';
