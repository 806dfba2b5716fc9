import type { ListResponse } from 'imapflow';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { isSameName } from '../kit/name.ts';
import { MailRefusal } from '../kit/refusal.ts';
import { addFolder, foldersOf } from '../organize/folder-change.ts';
import { ImapRefusal } from './imap-refusal.ts';

// Where the messages of a folder of another server go.

/** What folders of other servers are for. */
export const IMAP_KINDS = ['inbox', 'sent', 'drafts', 'spam', 'trash', 'archive', 'folder'] as const;
export type ImapKind = (typeof IMAP_KINDS)[number];

const SPECIAL: Readonly<Record<string, ImapKind>> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Junk': 'spam',
  '\\Trash': 'trash',
  '\\Archive': 'archive',
  '\\All': 'archive',
};

export const imapKindOf = ({ specialUse = '', path }: Pick<ListResponse, 'specialUse' | 'path'>): ImapKind =>
  path.toUpperCase() === 'INBOX' ? 'inbox' : (SPECIAL[specialUse] ?? 'folder');

/** @throws ImapRefusal bad_value */
export function checkedKind(given: string | null | undefined): ImapKind {
  const kind = IMAP_KINDS.find((each) => each === (given || 'folder'));
  if (!kind) throw new ImapRefusal('bad_value', `source.kind: expected one of ${IMAP_KINDS.join(', ')}.`);
  return kind;
}

/**
 * The folder of a mailbox that messages from elsewhere are filed into: that of the same kind, else one of the same
 * name, which is created. Drafts of elsewhere become ordinary messages in a folder of their own.
 */
export async function targetFolder(
  ctx: Ctx,
  accountId: number,
  path: string,
  kind: ImapKind,
): Promise<number> {
  const folders = await foldersOf(ctx, accountId);
  const special = kind === 'drafts' ? undefined : folders.find(({ role }) => role === kind);
  if (special) return special.id;
  const name = nameFor(path, kind);
  const called = folders.find((folder) => folder.role !== 'drafts' && isSameName(folder.name, name));
  return called?.id ?? added(ctx, accountId, name);
}

/** Two calls may want the same folder at the same time. */
async function added(ctx: Ctx, accountId: number, name: string): Promise<number> {
  try {
    return await addFolder(ctx, accountId, name);
  } catch (error) {
    const folders = error instanceof MailRefusal ? await foldersOf(ctx, accountId) : [];
    const found = folders.find((folder) => isSameName(folder.name, name));
    if (found) return found.id;
    throw error;
  }
}

function nameFor(path: string, kind: ImapKind): string {
  const shown = path.replace(/\p{C}+/gu, ' ').trim();
  if (kind === 'drafts' || shown.toLowerCase() === 'drafts') return 'Imported drafts';
  return [...shown].slice(0, limits.mail.folderName).join('').trim() || 'Imported';
}
