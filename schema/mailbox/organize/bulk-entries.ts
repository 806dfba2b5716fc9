import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import type { MemberFolder } from '../accounts/member-access.ts';
import { advanceModseq, revertModseqs } from '../accounts/modseq.ts';
import { MailError } from '../kit/operation.ts';
import type { findAllEntryIds } from '../search/search-page.ts';
import { flagEntries, MessageFlagsInput } from './flag.ts';
import { moveEntries } from './move.ts';
import { setLabels } from './set-labels.ts';
import type { UndoCall } from './undo.ts';

type ArgBuilder = Parameters<Parameters<typeof defineOperation>[1]['args']>[0];

export const buildBulkArgs = (arg: ArgBuilder) => ({
  folderId: arg.recordId({
    required: true,
    description: 'Folder that contains the messages. With `allFolders`, pass any folder of the mailbox.',
  }),
  allFolders: arg.boolean({
    defaultValue: false,
    description: 'True to change messages in all folders of the mailbox except Trash, Spam and Drafts.',
  }),
  labelId: arg.recordId({ description: 'Only messages with this label.' }),
  search: arg.string({
    description:
      'Only messages that match this search. Rejected if part of the search cannot be applied as written.',
  }),
  expectCount: arg.int({ required: true, description: 'Expected number of messages.' }),
  vals: arg({
    type: MessageFlagsInput,
    description: 'Changes to flags, or a move to or from Trash or Archive.',
  }),
  toFolderId: arg.recordId({ description: 'Folder to move the messages to, in the same mailbox.' }),
  addLabelIds: arg.recordIds({ description: 'Labels to add.' }),
  removeLabelIds: arg.recordIds({ description: 'Labels to remove.' }),
});

type BulkArgs = { allFolders?: boolean | null; labelId?: number | null; search?: string | null };

export const toBulkScope = ({ allFolders, labelId, search }: BulkArgs): BulkScope => ({
  allFolders: allFolders ?? false,
  labelId: labelId ?? null,
  search: search?.trim() ?? '',
});

/**
 * Returns the messages that still exist. Locks the mailbox, so that they are not deleted before the transaction ends.
 */
export async function lockExistingEntries(ctx: Ctx, accountId: number, ids: number[]): Promise<number[]> {
  await advanceModseq(ctx, accountId);
  await revertModseqs(ctx, [accountId]);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_entry
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and id = any(${ids}::int8[])`,
  );
  return rows.map(({ id }) => id);
}

export interface BulkScope {
  allFolders: boolean;
  labelId: number | null;
  search: string;
}

export interface BulkChange {
  vals?: typeof MessageFlagsInput.$inferInput | null;
  toFolderId?: number | null;
  addLabelIds?: number[] | null;
  removeLabelIds?: number[] | null;
}

export function checkBulkChange({ vals, toFolderId, addLabelIds, removeLabelIds }: BulkChange): void {
  if (!vals && !toFolderId && !addLabelIds?.length && !removeLabelIds?.length)
    throw new MailError('Specify what to change: vals, to_folder_id, add_label_ids or remove_label_ids.');
}

/**
 * Changes up to `limits.mail.changed` messages in one mailbox.
 * @returns the calls that undo the change
 * @throws MailError
 */
export async function changeEntriesInBulk(ctx: Ctx, ids: number[], change: BulkChange): Promise<UndoCall[]> {
  checkBulkChange(change);
  const { vals, toFolderId, addLabelIds, removeLabelIds } = change;
  const undo: UndoCall[] = [];
  if (addLabelIds?.length || removeLabelIds?.length)
    undo.unshift(...(await setLabels(ctx, ids, addLabelIds ?? [], removeLabelIds ?? [])).undo);
  if (vals) undo.unshift(...(await flagEntries(ctx, ids, vals)).undo);
  if (toFolderId) undo.unshift(...(await moveEntries(ctx, ids, toFolderId)).undo);
  return undo;
}

/** Finds all matching ids, and reports parts of the search that were not understood. */
export type EntryFinder = typeof findAllEntryIds;

/**
 * Finds the ids, newest first.
 * @throws MailError if the search is not understood, or matches more than `limit` messages
 */
export async function findBulkEntryIds(
  ctx: Ctx,
  folder: MemberFolder,
  { allFolders, labelId, search }: BulkScope,
  limit: number,
  find: EntryFinder,
): Promise<number[]> {
  const maxRows = limit + 1;
  const folderIds = allFolders ? await findVisibleFolders(ctx, folder.account_id) : [folder.id];
  const entryIds = search
    ? await find(ctx, [folder.account_id], { folderIds, labelId }, search, maxRows)
    : { ids: await findListedIds(ctx, folder.account_id, folderIds, labelId, maxRows), notes: [] };
  if (entryIds.notes.length > 0) throw new MailError(`search: ${entryIds.notes.join(' ')}`);
  if (entryIds.ids.length === maxRows)
    throw new MailError(`At most ${limit.toLocaleString('en')} messages can be changed. Narrow the search.`);
  return entryIds.ids;
}

/** @throws STALE with the actual count */
export function checkExpectedCount({ length: count }: readonly number[], expected: number): void {
  if (count !== expected) throw errors.staleCount(count, expected, 'messages');
}

async function findVisibleFolders(ctx: Ctx, accountId: number): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_folder where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
     and (role is null or role not in ('trash', 'spam', 'drafts'))`,
  );
  return rows.map(({ id }) => id);
}

async function findListedIds(
  ctx: Ctx,
  accountId: number,
  folderIds: number[],
  labelId: number | null,
  limit: number,
): Promise<number[]> {
  const { id } = ctx.workspace;
  const rows = await ctx.db.rows<{ id: number }>(
    labelId
      ? sql`select l.entry_id as id from svc_mail_entry_label l
         where l.workspace_id = ${id} and l.label_id = ${labelId} and l.folder_id = any(${folderIds}::int[])
         order by l.date desc, l.entry_id desc limit ${sql.literal(limit)}`
      : sql`select e.id from svc_mail_entry e
         where e.workspace_id = ${id} and e.account_id = ${accountId} and e.folder_id = any(${folderIds}::int[])
         order by e.date desc, e.id desc limit ${sql.literal(limit)}`,
  );
  return rows.map((row) => row.id);
}
