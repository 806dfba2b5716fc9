import { sql } from '../../../src/db/sql.ts';
import { addChangedRecords } from '../../../src/engine/ctx/call-usage.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { addToFolders, type FolderCountChange, updateFolderCounts } from '../messages/folder-counts.ts';
import { updateLabelCounts } from '../messages/label-counts.ts';
import { withLockedMailboxes } from './lock-mailboxes.ts';

/** A folder in the mailbox, or the previous folder of messages in Trash or Archive. */
export type MoveTarget =
  | { folderId: number }
  | { role: 'trash' | 'archive' }
  | { outOf: 'trash' | 'archive' };

/** Null leaves a flag or the folder unchanged. */
interface EntryChange {
  isRead: boolean | null;
  isStarred: boolean | null;
  target: MoveTarget | null;
}

export interface EntrySnapshot {
  id: number;
  account_id: number;
  folder_id: number;
  is_read: boolean;
  is_starred: boolean;
}

interface MovedEntry extends EntrySnapshot {
  to_id: number;
  day: number;
}

/** The message before the change, and the folders that the change affects. */
type ChangedEntry = EntrySnapshot & { folderIds: number[] };

/**
 * Sets flags and moves messages, with one statement each. The caller must check access.
 * @param accountIds the messages' mailboxes, in ascending order
 * @returns the previous state of the changed messages, by ascending id
 */
export const changeEntries = (
  ctx: Ctx,
  accountIds: readonly number[],
  entryIds: readonly number[],
  { isRead, isStarred, target }: EntryChange,
): Promise<ChangedEntry[]> =>
  withLockedMailboxes(ctx, accountIds, target ? 'move' : 'flags', async (tx, numbers) => {
    const locked = { ctx: tx, numbers, ids: [...new Set(entryIds)] };
    const markedSnapshots =
      isRead === null && isStarred === null ? [] : await setFlags(locked, isRead, isStarred);
    const entries = target ? await moveToTarget(locked, target) : [];
    const before = new Map(
      markedSnapshots.map((item) => [item.id, { ...item, folderIds: [item.folder_id] }]),
    );
    for (const item of entries) {
      const { to_id, day: _, ...as } = item;
      const folderIds = [item.folder_id, to_id];
      before.set(item.id, { ...as, ...before.get(item.id), folderIds });
    }
    if (tx.callUsage) addChangedRecords(tx.callUsage, 'svc.mail.entry', [...before.keys()]);
    return [...before.values()].sort((a, b) => a.id - b.id);
  });

interface LockedChange {
  ctx: Ctx;
  numbers: ReadonlyMap<number, number>;
  ids: number[];
}

async function setFlags(
  { ctx, numbers, ids }: LockedChange,
  isRead: boolean | null,
  isStarred: boolean | null,
) {
  const markedSnapshots = await ctx.db.rows<EntrySnapshot>(
    sql`update svc_mail_entry e
     set is_read = o.now_read, is_starred = o.now_starred, modseq = o.modseq, write_date = now()
     from (
       select b.id, b.account_id, b.folder_id, b.is_read, b.is_starred, a.modseq,
         coalesce(${isRead}::boolean, b.is_read) as now_read,
         coalesce(${isStarred}::boolean, b.is_starred) as now_starred
       from unnest(${[...numbers.keys()]}::int[], ${[...numbers.values()]}::int8[]) a(account_id, modseq)
       join svc_mail_entry b on b.workspace_id = ${ctx.workspace.id} and b.account_id = a.account_id
         and b.id = any(${ids}::int8[])
     ) o
     where e.workspace_id = ${ctx.workspace.id} and e.id = o.id
       and (o.is_read <> o.now_read or o.is_starred <> o.now_starred)
     returning o.id, o.account_id, o.folder_id, o.is_read, o.is_starred`,
  );
  const folders = new Map<number, { total: number; unread: number }>();
  for (const { folder_id, is_read } of markedSnapshots) {
    if (isRead === null || is_read === isRead) continue;
    const { unread } = folders.get(folder_id) ?? { unread: 0 };
    folders.set(folder_id, { total: 0, unread: unread + (isRead ? -1 : 1) });
  }
  await addToFolders(ctx, folders);
  return markedSnapshots;
}

async function moveToTarget(change: LockedChange, target: MoveTarget): Promise<MovedEntry[]> {
  const { ctx, numbers, ids } = change;
  // Moves messages, and stores the previous folder of those in Trash, Spam or Archive. A message moved from Trash
  // keeps the stored folder, so that it can still return there after it was deleted and then archived.
  const entries = await ctx.db.rows<MovedEntry>(
    sql`update svc_mail_entry e
     set folder_id = o.to_id, was_folder_id = o.was_id, modseq = o.modseq, write_date = now()
     from (
       select b.id, b.account_id, b.folder_id, b.is_read, b.is_starred, a.modseq, f.id as to_id,
         (b.date::date - date '1970-01-01') as day,
         case when f.role in ('trash', 'spam', 'archive') then
           case when c.role <> 'trash' or c.role is null then b.folder_id
             when b.was_folder_id <> f.id then b.was_folder_id end
         end as was_id
       from unnest(${[...numbers.keys()]}::int[], ${[...numbers.values()]}::int8[]) a(account_id, modseq)
       join svc_mail_entry b on b.workspace_id = ${ctx.workspace.id} and b.account_id = a.account_id
         and b.id = any(${ids}::int8[])
       join svc_mail_folder c on c.workspace_id = ${ctx.workspace.id} and c.id = b.folder_id
       left join svc_mail_folder w on w.workspace_id = ${ctx.workspace.id} and w.id = b.was_folder_id
         and w.id <> b.folder_id
       join svc_mail_folder f on f.workspace_id = ${ctx.workspace.id} and f.account_id = a.account_id
         and (f.id = ${'folderId' in target ? target.folderId : null}::int
           or f.role = ${'role' in target ? target.role : null}::text
           or c.role = ${'outOf' in target ? target.outOf : null}::text
             and (f.id = w.id or w.id is null and f.role = 'inbox'))
     ) o
     where e.workspace_id = ${ctx.workspace.id} and e.id = o.id and o.folder_id <> o.to_id
     returning o.id, o.account_id, o.folder_id, o.is_read, o.is_starred, o.to_id, o.day`,
  );
  if (entries.length === 0) return entries;
  await updateFolderCounts(ctx, entries.flatMap(toCountChanges));
  await moveLabels(ctx, entries);
  return entries;
}

async function moveLabels(ctx: Ctx, entries: readonly MovedEntry[]): Promise<void> {
  const carriedRows = await ctx.db.rows<{ label_id: number; from_id: number; to_id: number; day: number }>(
    sql`update svc_mail_entry_label l set folder_id = m.to_id
     from unnest(${entries.map(({ id }) => id)}::int8[], ${entries.map(({ folder_id }) => folder_id)}::int[],
       ${entries.map(({ to_id }) => to_id)}::int[]) m(id, from_id, to_id)
     where l.workspace_id = ${ctx.workspace.id} and l.entry_id = m.id
     returning l.label_id, m.from_id, m.to_id, (l.date::date - date '1970-01-01') as day`,
  );
  const steps = carriedRows.flatMap(({ label_id: labelId, from_id, to_id, day }) => [
    { labelId, folderId: from_id, day, by: -1 as const },
    { labelId, folderId: to_id, day, by: 1 as const },
  ]);
  await updateLabelCounts(ctx, steps);
}

const toCountChanges = ({
  account_id: accountId,
  folder_id,
  to_id,
  day,
  is_read,
}: MovedEntry): FolderCountChange[] => [
  { accountId, folderId: folder_id, day, isRead: is_read, by: -1 },
  { accountId, folderId: to_id, day, isRead: is_read, by: 1 },
];
