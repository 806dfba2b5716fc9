import type { ImapFlow, ListResponse } from 'imapflow';
import type { ImapKind } from './imap-folder.ts';

/** Time limit for counting the messages in all remote folders. */
const IMAP_COUNT_TIMEOUT_MS = 8_000;
export const MAX_IMAP_FOLDERS = 1_000;

/** `messages` is null if counting took too long. */
export interface ListedFolder {
  folder: string;
  name: string;
  kind: ImapKind;
  messages: number | null;
}

/** Lists remote folders, up to `MAX_IMAP_FOLDERS`. @param deadline Unix time in milliseconds when the call ends */
export async function listFolders(client: ImapFlow, deadline: number): Promise<ListedFolder[]> {
  const all = (await client.list()).filter(
    ({ path, flags }) => isStorable(path) && !flags.has('\\Noselect') && !flags.has('\\NonExistent'),
  );
  const last = Math.min(deadline, Date.now() + IMAP_COUNT_TIMEOUT_MS);
  const folders: ListedFolder[] = [];
  for (const item of all.slice(0, MAX_IMAP_FOLDERS))
    folders.push({
      folder: item.path,
      name: item.name,
      kind: toImapKind(item),
      messages: Date.now() < last ? await countMessages(client, item, last) : null,
    });
  return folders;
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
const isStorable = (path: string): boolean => path !== '' && !path.includes('\0') && path.isWellFormed();

/** A server may report any number. */
export const limitCount = (count: number): number => Math.min(count, 2 ** 31 - 1);

/** Returns null if the server cannot count the messages, or takes too long. */
async function countMessages(client: ImapFlow, { path }: ListResponse, last: number): Promise<number | null> {
  const { promise: timeout, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, last - Date.now(), false);
  try {
    const status = await Promise.race([
      client.status(path, { messages: true }).catch(() => false as const),
      timeout,
    ]);
    return status && status.messages !== undefined ? limitCount(status.messages) : null;
  } finally {
    clearTimeout(timer);
  }
}

const SPECIAL_USE_KINDS: Readonly<Record<string, ImapKind>> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Junk': 'spam',
  '\\Trash': 'trash',
  '\\Archive': 'archive',
  '\\All': 'archive',
};

const toImapKind = ({ specialUse = '', path }: Pick<ListResponse, 'specialUse' | 'path'>): ImapKind =>
  path.toUpperCase() === 'INBOX' ? 'inbox' : (SPECIAL_USE_KINDS[specialUse] ?? 'folder');
