import type { ImapFlow, ListResponse } from 'imapflow';
import { limits } from '../../../src/limits.ts';
import { type ImapKind, toImapKind } from './imap-folder.ts';

/** A folder of another mail server; `messages` is null where they could not be counted in time. */
interface ListedFolder {
  folder: string;
  name: string;
  kind: ImapKind;
  messages: number | null;
}

/**
 * The folders of another server, as many as limits allow.
 * @param until when the call must have ended, as `Date.now` counts
 */
export async function listFolders(client: ImapFlow, until: number): Promise<ListedFolder[]> {
  const all = (await client.list()).filter(
    ({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'),
  );
  const last = Math.min(until, Date.now() + limits.mail.imapCountTime);
  const folders: ListedFolder[] = [];
  for (const each of all.slice(0, limits.mail.imapFolders))
    folders.push({
      folder: each.path,
      name: each.name,
      kind: toImapKind(each),
      messages: Date.now() < last ? await countMessages(client, each, last) : null,
    });
  return folders;
}

/** Null for a folder that the server does not count, and for one that takes it too long. */
async function countMessages(client: ImapFlow, { path }: ListResponse, last: number): Promise<number | null> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, last - Date.now(), false);
  try {
    const status = await Promise.race([
      client.status(path, { messages: true }).catch(() => false as const),
      late,
    ]);
    return status ? (status.messages ?? null) : null;
  } finally {
    clearTimeout(timer);
  }
}
