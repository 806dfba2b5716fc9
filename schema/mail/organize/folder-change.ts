import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { allocateId } from '../../../src/engine/ctx/new-ids.ts';
import type { ShapeParts } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { noteChange, tick } from '../accounts/clock.ts';
import { accountOf } from '../accounts/member-of.ts';
import { type FolderPlace, folderOf } from '../folders/folder-place.ts';
import { answersShape, OUTCOME } from '../kit/answer.ts';
import { isSameName, nameOf } from '../kit/name.ts';
import { mailWrites } from '../kit/policies.ts';
import { answering, MailRefusal } from '../kit/refusal.ts';
import { wantFeature } from '../settings/features.ts';
import { changeEntries } from './change-entries.ts';

const FOLDER: ShapeParts = {
  ...OUTCOME,
  folderId: { type: 'ID', nullable: true, description: 'Id of the folder; null when refused.' },
  name: { type: 'String', nullable: true, description: 'Its name.' },
};

const FOLDER_NAME = `Name, up to ${limits.mail.folderName} characters. No other folder of the mailbox may have it.`;

export const mailFolderCreateVerb = verb('mailFolderCreate', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'svc.mail.account/create_folder',
  policy: mailWrites,
  description: 'Creates a folder in a mailbox.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    name: arg.string({ required: true, description: FOLDER_NAME }),
  }),
  ...answersShape('MailFolderCreated', 'A folder that was created.', FOLDER),
  run: (ctx, { accountId, name }) => answering(() => createFolder(ctx, accountId, name)),
});

export const mailFolderRenameVerb = verb('mailFolderRename', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'svc.mail.account/rename_folder',
  policy: mailWrites,
  description:
    'Renames a folder that was created in a mailbox. Those that every mailbox has keep their names.',
  args: (arg) => ({
    folderId: arg.recordId({ required: true, description: 'Folder.' }),
    name: arg.string({ required: true, description: FOLDER_NAME }),
  }),
  ...answersShape('MailFolderRenamed', 'A folder that was renamed.', FOLDER),
  run: (ctx, { folderId, name }) => answering(() => renameFolder(ctx, folderId, name)),
});

export const mailFolderDeleteVerb = verb('mailFolderDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  address: 'svc.mail.account/delete_folder',
  policy: mailWrites,
  description: 'Deletes a folder that was created in a mailbox. Its messages move to Archive.',
  args: (arg) => ({ folderId: arg.recordId({ required: true, description: 'Folder.' }) }),
  ...answersShape('MailFolderDeleted', 'A folder that was deleted.', OUTCOME),
  run: (ctx, { folderId }) => answering(() => deleteFolder(ctx, folderId)),
});

/** Holds the mailbox and notes that its folders change. */
async function holdFolders(ctx: Ctx, accountId: number, folders: number[]): Promise<void> {
  await noteChange(ctx, accountId, await tick(ctx, accountId), { kind: 'folders', folders });
}

async function createFolder(ctx: Ctx, accountId: number, given: string) {
  const account = await accountOf(ctx, accountId);
  await wantFeature(ctx, account.company_id, 'mail.organize');
  const name = nameOf(given, limits.mail.folderName, 'folder');
  return { folder_id: await addFolder(ctx, accountId, name), name };
}

/** @throws MailRefusal when the name is taken, and when the mailbox has too many */
export const addFolder = (ctx: Ctx, accountId: number, name: string): Promise<number> =>
  ctx.tx(async (tx) => {
    const id = await allocateId(tx, 'svc_mail_folder');
    await holdFolders(tx, accountId, [id]);
    const folders = await foldersOf(tx, accountId);
    refuseTaken(folders, name);
    if (folders.filter(({ role }) => role === null).length >= limits.mail.folders)
      throw new MailRefusal(`A mailbox has at most ${limits.mail.folders} folders of its own.`);
    const author = tx.principal?.userId ?? null;
    await tx.db.rows(
      sql`insert into svc_mail_folder (workspace_id, id, account_id, name, create_uid, write_uid)
       values (${tx.workspace.id}, ${id}, ${accountId}, ${name}, ${author}, ${author})`,
    );
    return id;
  });

async function renameFolder(ctx: Ctx, id: number, given: string) {
  const folder = await ownFolder(ctx, id, 'renamed');
  const name = nameOf(given, limits.mail.folderName, 'folder');
  return ctx.tx(async (tx) => {
    await holdFolders(tx, folder.account_id, [id]);
    refuseTaken(
      (await foldersOf(tx, folder.account_id)).filter((other) => other.id !== id),
      name,
    );
    await tx.db.rows(
      sql`update svc_mail_folder set name = ${name}, write_date = now(), write_uid = ${tx.principal?.userId ?? null}
       where workspace_id = ${tx.workspace.id} and id = ${id}`,
    );
    return { folder_id: id, name };
  });
}

/** Messages leave it some at a time, so that the mailbox is never held for long. */
async function deleteFolder(ctx: Ctx, id: number) {
  const folder = await ownFolder(ctx, id, 'deleted');
  const archive = (await foldersOf(ctx, folder.account_id)).find(({ role }) => role === 'archive')!;
  const change = { isRead: null, isStarred: null, target: { folderId: archive.id } };
  while (!(await deleteEmpty(ctx, folder))) {
    const ids = await someIn(ctx, id);
    if (ids.length > 0) await changeEntries(ctx, [folder.account_id], ids, change);
  }
  return {};
}

async function someIn(ctx: Ctx, folderId: number): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_entry where workspace_id = ${ctx.workspace.id} and folder_id = ${folderId}
     order by date, id limit ${sql.literal(limits.mail.changed)}`,
  );
  return rows.map(({ id }) => id);
}

/** @returns whether it was empty, and so is gone */
const deleteEmpty = (ctx: Ctx, { id, account_id }: FolderPlace): Promise<boolean> =>
  ctx.tx(async (tx) => {
    await holdFolders(tx, account_id, [id]);
    if ((await someIn(tx, id)).length > 0) return false;
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

/** A folder as its mailbox has it. */
interface Folder {
  id: number;
  name: string;
  role: string | null;
}

export const foldersOf = (ctx: Ctx, accountId: number): Promise<Folder[]> =>
  ctx.db.rows<Folder>(
    sql`select id, name, role from svc_mail_folder
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}`,
  );

function refuseTaken(folders: Folder[], name: string): void {
  if (folders.some((other) => isSameName(other.name, name)))
    throw new MailRefusal(`The mailbox already has a folder called "${name}".`);
}

/** @throws MailRefusal for a folder that every mailbox has */
async function ownFolder(ctx: Ctx, id: number, change: 'renamed' | 'deleted'): Promise<FolderPlace> {
  const folder = await folderOf(ctx, id);
  await wantFeature(ctx, folder.company_id, 'mail.organize');
  if (folder.role)
    throw new MailRefusal(`${folder.name} is a folder of every mailbox and cannot be ${change}.`);
  return folder;
}
