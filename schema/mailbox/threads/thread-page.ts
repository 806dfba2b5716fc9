import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { decodeEntryCursor, type EntryPosition, encodeEntryCursor } from '../kit/entry-cursor.ts';

/** Maximum number of messages that are read to fill one page of threads. */
const MAX_EXAMINED_MESSAGES = 4_000;

interface ThreadScope {
  accountId: number;
  folderIds: readonly number[];
  /** Identifies the list. Cursors of other lists are rejected. */
  list: string;
}

/** Position of a thread in a list: its newest message in these folders. */
interface ThreadPosition {
  thread_id: number;
  id: number;
  cursor: string;
}

export interface ThreadPage {
  places: ThreadPosition[];
  hasMore: boolean;
  end: string | null;
}

interface ThreadRow {
  id: number;
  thread_id: number;
  date: string;
  is_newest: boolean;
}

const MIN_SCANNED_MESSAGES = 100;

/**
 * Lists threads, sorted by their newest messages. Reads at most `MAX_EXAMINED_MESSAGES` messages, so a page with long
 * threads may be incomplete.
 * @throws BAD_REQUEST if the cursor is invalid
 */
export async function loadThreadPage(
  ctx: Ctx,
  scope: ThreadScope,
  first: number,
  after: string | null,
): Promise<ThreadPage> {
  const places: ThreadPosition[] = [];
  let position = after === null ? null : decodeEntryCursor(ctx, after, scope.list);
  let scannedCount = 0;
  for (
    let size = Math.max(MIN_SCANNED_MESSAGES, 2 * first);
    scannedCount < MAX_EXAMINED_MESSAGES;
    size *= 2
  ) {
    const scanned = Math.min(size, MAX_EXAMINED_MESSAGES - scannedCount);
    const rows = await ctx.db.rows<ThreadRow>(buildPageSql(ctx, scope, position, scanned));
    scannedCount += rows.length;
    for (const row of rows) {
      if (!row.is_newest) continue;
      if (places.length === first) return { places, hasMore: true, end: places.at(-1)?.cursor ?? after };
      places.push({ thread_id: row.thread_id, id: row.id, cursor: encodeEntryCursor(ctx, row, scope.list) });
    }
    const last = rows.at(-1);
    if (rows.length < scanned || !last) return { places, hasMore: false, end: places.at(-1)?.cursor ?? null };
    position = last;
  }
  return { places, hasMore: true, end: position && encodeEntryCursor(ctx, position, scope.list) };
}

/** Selects the next messages, and whether each is the newest of its thread in these folders. */
function buildPageSql(
  ctx: Ctx,
  { accountId, folderIds }: ThreadScope,
  before: EntryPosition | null,
  count: number,
): Sql {
  const workspace = sql.param(ctx.workspace.id);
  const inside = (row: Sql) =>
    folderIds.length === 1
      ? sql`${row}.folder_id = ${folderIds[0]}`
      : sql`${row}.folder_id = any(${folderIds}::int[])`;
  const rest = before
    ? sql` and (e.date, e.id) < (${before.date}::timestamp, ${before.id}::int8)`
    : sql.empty;
  return sql`select r.id, r.thread_id, r.date::text as date, r.id = (
      select n.id from svc_mail_entry n
      where n.workspace_id = ${workspace} and n.account_id = ${accountId} and n.thread_id = r.thread_id
        and ${inside(sql`n`)} order by n.date desc, n.id desc limit 1) as is_newest
    from (select e.id, e.thread_id, e.date from svc_mail_entry e
      where e.workspace_id = ${workspace} and e.account_id = ${accountId} and ${inside(sql`e`)}${rest}
      order by e.date desc, e.id desc limit ${sql.literal(count)}) r
    order by r.date desc, r.id desc`;
}
