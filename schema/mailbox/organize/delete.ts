import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { addUsedBytes, advanceModseq, recordMailboxChange } from '../accounts/modseq.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { updateFolderCounts } from '../messages/folder-counts.ts';
import { updateLabelCounts } from '../messages/label-counts.ts';
import { deleteUnfiledContents } from '../messages/store-content.ts';
import { getEntryMailboxes } from './lock-mailboxes.ts';

// The only two operations that delete messages permanently.

const MAX_TRASH_MESSAGES = 100_000;

const DELETED_SHAPE = {
  deleted: { type: 'Int', description: 'Number of deleted messages. Null if the call was rejected.' },
} as const;

export const mailDeleteForever = defineOperation('mailDeleteForever', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  closedToAgents: true,
  address: 'svc.mail.account/delete_forever',
  policy: MAIL_WRITE_POLICY,
  description: `Permanently deletes up to ${limits.mail.changed} messages in Trash or Spam. They cannot be restored.`,
  args: (arg) => ({
    entryIds: arg.recordIds({ required: true, description: 'Messages to delete, in Trash or Spam.' }),
  }),
  ...returnOutcome('MailDeleted', 'Result of permanently deleting messages.', DELETED_SHAPE),
  run: (ctx, { entryIds }) =>
    catchMailError(async () => {
      const mailboxes = await getEntryMailboxes(ctx, entryIds);
      if (await hasEntriesElsewhere(ctx, entryIds))
        throw new MailError('Only messages in Trash or Spam can be permanently deleted.');
      let deletedCount = 0;
      for (const { id } of mailboxes) deletedCount += await deleteEntries(ctx, id, entryIds);
      return { deleted: deletedCount };
    }),
});

export const mailEmptyTrash = defineOperation('mailEmptyTrash', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  closedToAgents: true,
  address: 'svc.mail.account/empty_trash',
  policy: MAIL_WRITE_POLICY,
  description:
    `Permanently deletes the messages in Trash, up to ${MAX_TRASH_MESSAGES} in one call. ` +
    'They cannot be restored.',
  args: (arg) => ({ accountId: arg.recordId({ required: true, description: 'Mailbox.' }) }),
  ...returnOutcome('MailTrashEmptied', 'Result of permanently deleting messages.', {
    ...DELETED_SHAPE,
    left: {
      type: 'Int',
      description: 'Number of messages that are still in Trash. Call again to delete them.',
    },
  }),
  run: (ctx, { accountId }) =>
    catchMailError(async () => {
      const { id } = await getMemberMailbox(ctx, accountId);
      return emptyTrash(ctx, id);
    }),
});

async function emptyTrash(ctx: Ctx, accountId: number) {
  const { total } = await getTrash(ctx, accountId);
  const count = Math.min(total, MAX_TRASH_MESSAGES);
  let deletedCount = 0;
  while (deletedCount < count) {
    const ids = await findOldestInTrash(ctx, accountId, Math.min(limits.mail.changed, count - deletedCount));
    if (ids.length === 0) break;
    deletedCount += await deleteEntries(ctx, accountId, ids);
  }
  return { deleted: deletedCount, left: (await getTrash(ctx, accountId)).total };
}

async function getTrash(ctx: Ctx, accountId: number): Promise<{ total: number }> {
  const [trash] = await ctx.db.rows<{ total: number }>(
    sql`select total from svc_mail_folder
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and role = 'trash'`,
  );
  return trash!;
}

async function findOldestInTrash(ctx: Ctx, accountId: number, limit: number): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select e.id from svc_mail_entry e
     where e.workspace_id = ${ctx.workspace.id} and e.folder_id = (select f.id from svc_mail_folder f
       where f.workspace_id = ${ctx.workspace.id} and f.account_id = ${accountId} and f.role = 'trash')
     order by e.date, e.id limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

async function hasEntriesElsewhere(ctx: Ctx, ids: readonly number[]): Promise<boolean> {
  const rows = await ctx.db.rows(
    sql`select 1 from svc_mail_entry e
     join svc_mail_folder f on f.workspace_id = ${ctx.workspace.id} and f.id = e.folder_id
     where e.workspace_id = ${ctx.workspace.id} and e.id = any(${ids}::int8[])
       and (f.role is null or f.role not in ('trash', 'spam')) limit 1`,
  );
  return rows.length > 0;
}

interface DeletableEntry {
  id: number;
  folder_id: number;
  thread_id: number;
  is_read: boolean;
  day: number;
  size: number;
}

/**
 * Deletes a mailbox's messages in Trash or Spam, and each content along with its last message. Locks contents before
 * the mailbox, as filing does.
 * @returns the number of deleted messages
 */
const deleteEntries = (ctx: Ctx, accountId: number, ids: readonly number[]): Promise<number> =>
  ctx.tx(async (tx) => {
    const contents = await lockContents(tx, accountId, ids);
    const modseq = await advanceModseq(tx, accountId);
    const doomedEntries = await tx.db.rows<DeletableEntry>(
      sql`select e.id, e.folder_id, e.thread_id, e.is_read, (e.date::date - date '1970-01-01') as day, c.size
       from svc_mail_entry e
       join svc_mail_folder f on f.workspace_id = ${tx.workspace.id} and f.id = e.folder_id
         and f.role in ('trash', 'spam')
       join svc_mail_message c on c.workspace_id = ${tx.workspace.id} and c.id = e.content_id
       where e.workspace_id = ${tx.workspace.id} and e.account_id = ${accountId}
         and e.id = any(${[...ids]}::int8[])`,
    );
    const rowIds = doomedEntries.map(({ id }) => id);
    if (rowIds.length > 0) await deleteRows(tx, accountId, rowIds, doomedEntries);
    if (rowIds.length > 0) await deleteUnfiledContents(tx, contents);
    const threads = rowIds.length > 0 ? await deleteThreads(tx, accountId, doomedEntries) : [];
    const folders = [...new Set(doomedEntries.map(({ folder_id }) => folder_id))];
    await recordMailboxChange(tx, accountId, modseq, { kind: 'delete', destroyed: rowIds, folders, threads });
    return rowIds.length;
  });

async function lockContents(ctx: Ctx, accountId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select c.id from svc_mail_message c
     where c.workspace_id = ${ctx.workspace.id} and c.id in (select e.content_id from svc_mail_entry e
       where e.workspace_id = ${ctx.workspace.id} and e.account_id = ${accountId} and e.id = any(${ids}::int8[]))
     order by c.id for update`,
  );
  return rows.map(({ id }) => id);
}

async function deleteRows(
  ctx: Ctx,
  accountId: number,
  ids: number[],
  doomedEntries: DeletableEntry[],
): Promise<void> {
  const workspace = ctx.workspace.id;
  const carriedRows = await ctx.db.rows<{ label_id: number; folder_id: number; day: number }>(
    sql`delete from svc_mail_entry_label
     where workspace_id = ${workspace} and entry_id = any(${ids}::int8[])
     returning label_id, folder_id, (date::date - date '1970-01-01') as day`,
  );
  await updateLabelCounts(
    ctx,
    carriedRows.map(({ label_id, folder_id, day }) => ({
      labelId: label_id,
      folderId: folder_id,
      day,
      by: -1,
    })),
  );
  await ctx.db.rows(
    sql`delete from svc_mail_search where workspace_id = ${workspace} and entry_id = any(${ids}::int8[])`,
  );
  await ctx.db.rows(
    sql`delete from svc_mail_entry where workspace_id = ${workspace} and id = any(${ids}::int8[])`,
  );
  const steps = doomedEntries.map(({ folder_id, day, is_read }) => ({
    accountId,
    folderId: folder_id,
    day,
    isRead: is_read,
    by: -1 as const,
  }));
  await updateFolderCounts(ctx, steps);
  await addUsedBytes(ctx, new Map([[accountId, -doomedEntries.reduce((sum, { size }) => sum + size, 0)]]));
}

/** @returns the threads without remaining messages */
async function deleteThreads(
  ctx: Ctx,
  accountId: number,
  doomedEntries: DeletableEntry[],
): Promise<number[]> {
  const workspace = ctx.workspace.id;
  const threads = [...new Set(doomedEntries.map(({ thread_id }) => thread_id))];
  const deletedRefs = await ctx.db.rows<{ thread_id: number }>(
    sql`delete from svc_mail_thread_ref r
     where r.workspace_id = ${workspace} and r.account_id = ${accountId} and r.thread_id = any(${threads}::int8[])
       and not exists (select 1 from svc_mail_entry e
         where e.workspace_id = ${workspace} and e.account_id = ${accountId} and e.thread_id = r.thread_id)
     returning r.thread_id`,
  );
  return [...new Set(deletedRefs.map(({ thread_id }) => thread_id))];
}
