import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { isSameName } from '../kit/name.ts';
import { MailError } from '../kit/operation.ts';
import { addFolder, loadMailboxFolders, MAX_FOLDER_NAME_CHARS } from '../organize/folder-change.ts';
import { ImapError } from './imap-error.ts';

// Maps remote folders to the mailbox's folders.

export const IMAP_KINDS = ['inbox', 'sent', 'drafts', 'spam', 'trash', 'archive', 'folder'] as const;
export type ImapKind = (typeof IMAP_KINDS)[number];

/** @throws ImapError `bad_value` */
export function parseImapKind(value: string | null | undefined): ImapKind {
  const kind = IMAP_KINDS.find((imapKind) => imapKind === (value || 'folder'));
  if (!kind) throw new ImapError('bad_value', `source.kind: expected one of ${IMAP_KINDS.join(', ')}.`);
  return kind;
}

/**
 * Finds the target folder by role, or else by name, and creates it if necessary. Remote drafts become ordinary messages
 * in a separate folder.
 */
export async function ensureTargetFolder(
  ctx: Ctx,
  accountId: number,
  path: string,
  kind: ImapKind,
): Promise<number> {
  const folders = await loadMailboxFolders(ctx, accountId);
  const special = kind === 'drafts' ? undefined : folders.find(({ role }) => role === kind);
  if (special) return special.id;
  const name = buildFolderName(path, kind);
  const calledFolder = folders.find((folder) => folder.role !== 'drafts' && isSameName(folder.name, name));
  return calledFolder?.id ?? addOrFindFolder(ctx, accountId, name);
}

/** Creates the folder, or finds it if a concurrent call has created it. */
async function addOrFindFolder(ctx: Ctx, accountId: number, name: string): Promise<number> {
  try {
    return await addFolder(ctx, accountId, name);
  } catch (error) {
    const folders = error instanceof MailError ? await loadMailboxFolders(ctx, accountId) : [];
    const existingFolder = folders.find((folder) => isSameName(folder.name, name));
    if (existingFolder) return existingFolder.id;
    throw error;
  }
}

function buildFolderName(path: string, kind: ImapKind): string {
  const cleanName = path.replace(/\p{C}+/gu, ' ').trim();
  if (kind === 'drafts' || cleanName.toLowerCase() === 'drafts') return 'Imported drafts';
  return [...cleanName].slice(0, MAX_FOLDER_NAME_CHARS).join('').trim() || 'Imported';
}
