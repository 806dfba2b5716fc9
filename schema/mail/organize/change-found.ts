import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { tick, untick } from '../accounts/clock.ts';
import { type FolderPlace, folderOf } from '../folders/folder-place.ts';
import { OUTCOME } from '../kit/answer.ts';
import { mailWrites } from '../kit/policies.ts';
import { answering, MailRefusal } from '../kit/refusal.ts';
import { searchPage } from '../search/search-page.ts';
import { Flags, flagEntries } from './flag.ts';
import { moveEntries } from './move.ts';
import { setLabels } from './set-labels.ts';
import type { UndoCall } from './undo.ts';
import { addUndo, answersUndoable, keepUndo } from './undo-token.ts';

const MOST = limits.mail.changedFound.toLocaleString('en');

export const mailChangeFoundVerb = verb('mailChangeFound', {
  kind: 'mutation',
  policy: mailWrites,
  description:
    `Marks, labels or moves all messages of a list or a search, up to ${MOST}. Changes nothing when they are not as ` +
    'many as the caller has seen.',
  args: (arg) => ({
    folderId: arg.recordId({
      required: true,
      description: 'Folder, or with `allFolders` any of its mailbox.',
    }),
    allFolders: arg.boolean({
      defaultValue: false,
      description: 'All folders of the mailbox but Trash, Spam and Drafts.',
    }),
    labelId: arg.recordId({ description: 'Only messages with this label.' }),
    search: arg.string({ description: 'Only messages that match. What is not understood is refused.' }),
    expectCount: arg.int({ required: true, description: 'How many messages the caller means.' }),
    vals: arg({ type: Flags, description: 'Marks, and moves to Trash or Archive and back.' }),
    toFolderId: arg.recordId({ description: 'Folder of the mailbox that they are moved to.' }),
    addLabelIds: arg.recordIds({ description: 'Labels that they get.' }),
    removeLabelIds: arg.recordIds({ description: 'Labels that they lose.' }),
  }),
  ...answersUndoable('MailFoundChanged', 'Messages of a search that were changed.', {
    ...OUTCOME,
    count: { type: 'Int', nullable: true, description: 'How many messages there are; null for too many.' },
  }),
  run: (ctx, { folderId, ...args }) =>
    answering(async () => {
      const scope = {
        allFolders: args.allFolders ?? false,
        labelId: args.labelId ?? null,
        search: args.search?.trim() ?? '',
      };
      const folder = await folderOf(ctx, folderId);
      const accountId = folder.account_id;
      const ids = await idsOf(ctx, folder, scope);
      if (ids.length !== args.expectCount)
        throw new MailRefusal(`expect_count: there are ${ids.length} such messages now.`, {
          count: ids.length,
        });
      return changeAll(ctx, accountId, ids, args);
    }),
});

/**
 * Batch by batch, each with what undoes it. Messages that are gone by then are passed over.
 * @throws MailRefusal with the token of what was done, when a batch after the first fails
 */
async function changeAll(ctx: Ctx, accountId: number, ids: number[], change: Change) {
  const token = await keepUndo(ctx, []);
  for (let from = 0; from < ids.length; from += limits.mail.changed) {
    const some = ids.slice(from, from + limits.mail.changed);
    try {
      await ctx.tx(async (tx) => {
        const there = await stillThere(tx, accountId, some);
        if (there.length > 0) await addUndo(tx, token, await changeSome(tx, there, change));
      });
    } catch (error) {
      if (from === 0) throw error;
      ctx.runtime.log.warn({ err: error }, 'a change of many messages ended before its end');
      throw new MailRefusal(`Only the first ${from} of ${ids.length} messages were changed; try again.`, {
        count: ids.length,
        undo_token: token,
      });
    }
  }
  return { count: ids.length, undo_token: token };
}

/** Holds the mailbox, so that what is there stays there. */
async function stillThere(ctx: Ctx, accountId: number, ids: number[]): Promise<number[]> {
  await tick(ctx, accountId);
  await untick(ctx, [accountId]);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_entry
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and id = any(${ids}::int8[])`,
  );
  return rows.map(({ id }) => id);
}

interface Scope {
  allFolders: boolean;
  labelId: number | null;
  search: string;
}

interface Change {
  vals?: typeof Flags.$inferInput | null;
  toFolderId?: number | null;
  addLabelIds?: number[] | null;
  removeLabelIds?: number[] | null;
}

/** @throws MailRefusal when nothing is to be done */
async function changeSome(ctx: Ctx, ids: number[], change: Change): Promise<UndoCall[]> {
  const { vals, toFolderId, addLabelIds, removeLabelIds } = change;
  const undo: UndoCall[] = [];
  if (addLabelIds?.length || removeLabelIds?.length)
    undo.unshift(...(await setLabels(ctx, ids, addLabelIds ?? [], removeLabelIds ?? [])).undo);
  if (vals) undo.unshift(...(await flagEntries(ctx, ids, vals)).undo);
  if (toFolderId) undo.unshift(...(await moveEntries(ctx, ids, toFolderId)).undo);
  else if (!vals && undo.length === 0 && !addLabelIds?.length && !removeLabelIds?.length)
    throw new MailRefusal('Say what to change: vals, to_folder_id, add_label_ids or remove_label_ids.');
  return undo;
}

/** The newest first. @throws MailRefusal for a search that is not understood, and for more than one call changes */
async function idsOf(
  ctx: Ctx,
  folder: FolderPlace,
  { allFolders, labelId, search }: Scope,
): Promise<number[]> {
  const most = limits.mail.changedFound + 1;
  const folderIds = allFolders ? await visibleFolders(ctx, folder.account_id) : [folder.id];
  const found = search
    ? await searchPage(ctx, [folder.account_id], { folderIds, labelId }, search, { offset: 0, limit: most })
    : { ids: await listed(ctx, folder.account_id, folderIds, labelId, most), notes: [] };
  if (found.notes.length > 0) throw new MailRefusal(`search: ${found.notes.join(' ')}`);
  if (found.ids.length === most)
    throw new MailRefusal(`At most ${MOST} messages can be changed; narrow the search.`);
  return found.ids;
}

async function visibleFolders(ctx: Ctx, accountId: number): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_folder where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
     and (role is null or role not in ('trash', 'spam', 'drafts'))`,
  );
  return rows.map(({ id }) => id);
}

async function listed(
  ctx: Ctx,
  accountId: number,
  folderIds: number[],
  labelId: number | null,
  most: number,
): Promise<number[]> {
  const { id } = ctx.workspace;
  const rows = await ctx.db.rows<{ id: number }>(
    labelId
      ? sql`select l.entry_id as id from svc_mail_entry_label l
         where l.workspace_id = ${id} and l.label_id = ${labelId} and l.folder_id = any(${folderIds}::int[])
         order by l.date desc, l.entry_id desc limit ${sql.literal(most)}`
      : sql`select e.id from svc_mail_entry e
         where e.workspace_id = ${id} and e.account_id = ${accountId} and e.folder_id = any(${folderIds}::int[])
         order by e.date desc, e.id desc limit ${sql.literal(most)}`,
  );
  return rows.map((row) => row.id);
}
