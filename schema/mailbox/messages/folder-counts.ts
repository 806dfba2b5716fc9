import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

const DAY_MS = 86_400_000;

/** Returns the UTC day as a number of days since 1970. */
export const toDayNumber = (date: Date): number => Math.floor(date.getTime() / DAY_MS);

/** A message that enters (1) or leaves (-1) a folder. */
export interface FolderCountChange {
  accountId: number;
  folderId: number;
  day: number;
  isRead: boolean;
  by: 1 | -1;
}

/** Updates folders' message counts, in total and per day. The mailboxes must be locked. */
export async function updateFolderCounts(ctx: Ctx, steps: readonly FolderCountChange[]): Promise<void> {
  const folders = new Map<number, { total: number; unread: number }>();
  const days = new Map<string, DayCount>();
  for (const { accountId, folderId, day, isRead, by } of steps) {
    const folder = folders.get(folderId) ?? { total: 0, unread: 0 };
    folders.set(folderId, { total: folder.total + by, unread: folder.unread + (isRead ? 0 : by) });
    const key = `${folderId} ${day}`;
    days.set(key, { accountId, folderId, day, n: (days.get(key)?.n ?? 0) + by });
  }
  await Promise.all([
    addToFolders(ctx, folders),
    addToDays(
      ctx,
      [...days.values()].filter(({ n }) => n !== 0),
    ),
  ]);
}

/** Adds to folders' message counts. The mailboxes must be locked. */
export async function addToFolders(
  ctx: Ctx,
  folders: ReadonlyMap<number, { total: number; unread: number }>,
): Promise<void> {
  const changedFolders = [...folders].filter(([, { total, unread }]) => total !== 0 || unread !== 0);
  if (changedFolders.length === 0) return;
  await ctx.db.rows(
    sql`update svc_mail_folder f set total = f.total + d.total, unread = f.unread + d.unread
     from unnest(${changedFolders.map(([id]) => id)}::int[], ${changedFolders.map(([, { total }]) => total)}::int[],
       ${changedFolders.map(([, { unread }]) => unread)}::int[]) d(id, total, unread)
     where f.workspace_id = ${ctx.workspace.id} and f.id = d.id`,
  );
}

type DayCount = Pick<FolderCountChange, 'accountId' | 'folderId' | 'day'> & { n: number };

async function addToDays(ctx: Ctx, days: DayCount[]): Promise<void> {
  if (days.length === 0) return;
  await ctx.db.rows(
    sql`insert into svc_mail_bucket (workspace_id, account_id, folder_id, day, n)
     select a.workspace_id, a.id, d.folder_id, d.day, d.n
     from unnest(${days.map(({ accountId }) => accountId)}::int[], ${days.map(({ folderId }) => folderId)}::int[],
       ${days.map(({ day }) => day)}::int[], ${days.map(({ n }) => n)}::int[]) d(account_id, folder_id, day, n)
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = d.account_id
     on conflict (workspace_id, account_id, folder_id, day) do update set n = svc_mail_bucket.n + excluded.n`,
  );
}
