import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import type { ShapeParts } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberFolder, getMemberMailbox, type MemberFolder } from '../accounts/member-access.ts';
import { lockForChange } from '../accounts/modseq.ts';
import { isSameName, parseName } from '../kit/name.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { requireFeature } from '../settings/features.ts';
import { changeEntries } from './change-entries.ts';

/** In addition to the system folders. */
const MAX_FOLDERS = 500;
export const MAX_FOLDER_NAME_CHARS = 100;

const FOLDER_SHAPE: ShapeParts = {
  folderId: { type: 'ID', description: 'Id of the folder. Null if the call was rejected.' },
  name: { type: 'String', description: 'Name of the folder.' },
};

const FOLDER_NAME_DESCRIPTION = `Name, up to ${MAX_FOLDER_NAME_CHARS} characters. Must be unique in the mailbox.`;

export const mailFolderCreate = defineOperation('mailFolderCreate', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'svc.mail.account/create_folder',
  policy: MAIL_WRITE_POLICY,
  description: 'Creates a folder in a mailbox.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    name: arg.string({ required: true, description: FOLDER_NAME_DESCRIPTION }),
  }),
  ...returnOutcome('MailFolderCreated', 'Result of creating a folder.', FOLDER_SHAPE),
  run: (ctx, { accountId, name }) => catchMailError(() => createFolder(ctx, accountId, name)),
});

export const mailFolderRename = defineOperation('mailFolderRename', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'svc.mail.account/rename_folder',
  policy: MAIL_WRITE_POLICY,
  description: 'Renames a custom folder of a mailbox. System folders cannot be renamed.',
  args: (arg) => ({
    folderId: arg.recordId({ required: true, description: 'Folder.' }),
    name: arg.string({ required: true, description: FOLDER_NAME_DESCRIPTION }),
  }),
  ...returnOutcome('MailFolderRenamed', 'Result of renaming a folder.', FOLDER_SHAPE),
  run: (ctx, { folderId, name }) => catchMailError(() => renameFolder(ctx, folderId, name)),
});

export const mailFolderDelete = defineOperation('mailFolderDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  address: 'svc.mail.account/delete_folder',
  policy: MAIL_WRITE_POLICY,
  description: 'Deletes a custom folder of a mailbox. Its messages move to Archive.',
  args: (arg) => ({ folderId: arg.recordId({ required: true, description: 'Folder.' }) }),
  ...returnOutcome('MailFolderDeleted', 'Result of deleting a folder.'),
  run: (ctx, { folderId }) => catchMailError(() => deleteFolder(ctx, folderId)),
});

async function createFolder(ctx: Ctx, accountId: number, newName: string) {
  const account = await getMemberMailbox(ctx, accountId);
  await requireFeature(ctx, account.company_id, 'mail.organize');
  const name = parseName(newName, MAX_FOLDER_NAME_CHARS, 'folder');
  return { folder_id: await addFolder(ctx, accountId, name), name };
}

/** @throws MailError if the name is taken, or the mailbox has too many folders */
export const addFolder = (ctx: Ctx, accountId: number, name: string): Promise<number> =>
  ctx.tx(async (tx) => {
    const id = await allocateId(tx, 'svc_mail_folder');
    await lockForChange(tx, accountId, { kind: 'folders', folders: [id] });
    const folders = await loadMailboxFolders(tx, accountId);
    rejectTakenName(folders, name);
    if (folders.filter(({ role }) => role === null).length >= MAX_FOLDERS)
      throw new MailError(`A mailbox may have at most ${MAX_FOLDERS} custom folders.`);
    const author = tx.principal?.userId ?? null;
    await tx.db.rows(
      sql`insert into svc_mail_folder (workspace_id, id, account_id, name, create_uid, write_uid)
       values (${tx.workspace.id}, ${id}, ${accountId}, ${name}, ${author}, ${author})`,
    );
    return id;
  });

async function renameFolder(ctx: Ctx, id: number, newName: string) {
  const folder = await getCustomFolder(ctx, id, 'renamed');
  const name = parseName(newName, MAX_FOLDER_NAME_CHARS, 'folder');
  return ctx.tx(async (tx) => {
    await lockForChange(tx, folder.account_id, { kind: 'folders', folders: [id] });
    rejectTakenName(
      (await loadMailboxFolders(tx, folder.account_id)).filter((other) => other.id !== id),
      name,
    );
    await tx.db.rows(
      sql`update svc_mail_folder set name = ${name}, write_date = now(), write_uid = ${tx.principal?.userId ?? null}
       where workspace_id = ${tx.workspace.id} and id = ${id}`,
    );
    return { folder_id: id, name };
  });
}

/** Deletes a folder. First moves its messages to Archive in batches, so that the mailbox is never locked for long. */
async function deleteFolder(ctx: Ctx, id: number) {
  const folder = await getCustomFolder(ctx, id, 'deleted');
  const archive = (await loadMailboxFolders(ctx, folder.account_id)).find(({ role }) => role === 'archive')!;
  const change = { isRead: null, isStarred: null, target: { folderId: archive.id } };
  while (!(await deleteIfEmpty(ctx, folder))) {
    const ids = await findEntriesIn(ctx, id);
    if (ids.length > 0) await changeEntries(ctx, [folder.account_id], ids, change);
  }
  return {};
}

async function findEntriesIn(ctx: Ctx, folderId: number): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_entry where workspace_id = ${ctx.workspace.id} and folder_id = ${folderId}
     order by date, id limit ${sql.literal(limits.mail.changed)}`,
  );
  return rows.map(({ id }) => id);
}

/** @returns false if the folder still contains messages */
const deleteIfEmpty = (ctx: Ctx, { id, account_id }: MemberFolder): Promise<boolean> =>
  ctx.tx(async (tx) => {
    await lockForChange(tx, account_id, { kind: 'folders', folders: [id] });
    if ((await findEntriesIn(tx, id)).length > 0) return false;
    const { id: workspace } = tx.workspace;
    await tx.db.rows(
      sql`delete from svc_mail_bucket
       where workspace_id = ${workspace} and account_id = ${account_id} and folder_id = ${id}`,
    );
    await tx.db.rows(
      sql`delete from svc_mail_label_bucket
       where workspace_id = ${workspace} and folder_id = ${id} and label_id in (select l.id from svc_mail_label l
         where l.workspace_id = ${workspace} and l.account_id = ${account_id})`,
    );
    await tx.db.rows(sql`delete from svc_mail_folder where workspace_id = ${workspace} and id = ${id}`);
    return true;
  });

interface Folder {
  id: number;
  name: string;
  role: string | null;
}

export const loadMailboxFolders = (ctx: Ctx, accountId: number): Promise<Folder[]> =>
  ctx.db.rows<Folder>(
    sql`select id, name, role from svc_mail_folder
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}`,
  );

function rejectTakenName(folders: Folder[], name: string): void {
  if (folders.some((other) => isSameName(other.name, name)))
    throw new MailError(`The mailbox already has a folder called "${name}".`);
}

/** @throws MailError if it is a system folder */
async function getCustomFolder(ctx: Ctx, id: number, change: 'renamed' | 'deleted'): Promise<MemberFolder> {
  const folder = await getMemberFolder(ctx, id);
  await requireFeature(ctx, folder.company_id, 'mail.organize');
  if (folder.role) throw new MailError(`${folder.name} is a system folder and cannot be ${change}.`);
  return folder;
}
