import DataLoader from 'dataloader';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoaded } from '../../../src/engine/ctx/loader.ts';
import type { Person } from '../messages/store-content.ts';

export const MAX_THREAD_COUNT = 500;
/** Number of a thread's newest messages whose senders are listed. */
export const MAX_NAMED_PEOPLE = 50;

export interface Thread {
  id: number;
  accountId: number;
  /** Folder whose messages are included even if it is Spam or Trash. */
  folderId: number | null;
}

interface ThreadSummary {
  count: number;
  unread: number;
  isStarred: boolean;
  date: string | null;
  folderIds: number[];
  labelIds: number[];
}

const EMPTY_SUMMARY: ThreadSummary = {
  count: 0,
  unread: 0,
  isStarred: false,
  date: null,
  folderIds: [],
  labelIds: [],
};

/** Selects the messages of threads `t`, newest first. Excludes Spam and Trash. */
const buildMessagesSql = (workspace: unknown, limit: number): Sql => sql`
  select e.id, e.content_id, e.date, e.is_read, e.is_starred, e.folder_id from svc_mail_entry e
  join svc_mail_folder f on f.workspace_id = ${workspace} and f.id = e.folder_id
  where e.workspace_id = ${workspace} and e.account_id = t.account_id and e.thread_id = t.id
    and (e.folder_id = t.folder_id or coalesce(f.role, '') not in ('spam', 'trash'))
  order by e.date desc, e.id desc limit ${sql.literal(limit)}`;

const buildThreadsSql = (
  threads: readonly Thread[],
): Sql => sql`unnest(${threads.map(({ id }) => id)}::int8[],
  ${threads.map(({ accountId }) => accountId)}::int[], ${threads.map(({ folderId }) => folderId)}::int[])
  with ordinality t(id, account_id, folder_id, place)`;

/** Loads all threads on a page with one statement. */
export const loadThreadSummary = (ctx: Ctx, thread: Thread): Promise<ThreadSummary> =>
  getLoader(ctx, 'mail thread facts', EMPTY_SUMMARY, (threads) => {
    const workspace = sql.param(ctx.workspace.id);
    return ctx.db.rows<{ place: number; value: ThreadSummary }>(
      sql`select t.place::int as place, s.value from ${buildThreadsSql(threads)} cross join lateral (
         select json_build_object('count', count(*), 'unread', count(*) filter (where not m.is_read),
           'isStarred', coalesce(bool_or(m.is_starred), false),
           'date', to_char(max(m.date), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'folderIds', coalesce(json_agg(distinct m.folder_id), '[]'),
           'labelIds', coalesce((select json_agg(distinct l.label_id) from svc_mail_entry_label l
             where l.workspace_id = ${workspace} and l.entry_id = any(array_agg(m.id))), '[]')) as value
         from (${buildMessagesSql(workspace, MAX_THREAD_COUNT)}) m) s`,
    );
  }).load(thread);

/** Loads the authors of a thread's newest messages, most recent first. */
export const loadThreadPeople = (ctx: Ctx, thread: Thread): Promise<Person[]> =>
  getLoader<Person[]>(ctx, 'mail thread people', [], (threads) => {
    const workspace = sql.param(ctx.workspace.id);
    return ctx.db.rows<{ place: number; value: Person[] }>(
      sql`select t.place::int as place, s.value from ${buildThreadsSql(threads)} cross join lateral (
         select coalesce(json_agg(json_build_object('name', p.name, 'email', p.email) order by p.date desc), '[]')
           as value
         from (select c.email_from as email, max(c.from_name) as name, max(m.date) as date
           from (${buildMessagesSql(workspace, MAX_NAMED_PEOPLE)}) m
           join svc_mail_message c on c.workspace_id = ${workspace} and c.id = m.content_id
           group by c.email_from) p) s`,
    );
  }).load(thread);

/** Loads the ids of a thread's newest messages, oldest first. */
export const loadThreadMessages = (ctx: Ctx, thread: Thread, limit: number): Promise<number[]> =>
  getLoader<number[]>(ctx, `mail thread messages ${limit}`, [], (threads) => {
    const workspace = sql.param(ctx.workspace.id);
    return ctx.db.rows<{ place: number; value: number[] }>(
      sql`select t.place::int as place, s.value from ${buildThreadsSql(threads)} cross join lateral (
         select array_agg(m.id order by m.date, m.id) as value from (${buildMessagesSql(workspace, limit)}) m) s`,
    );
  }).load(thread);

const THREAD_BATCH_SIZE = 100;

const getLoader = <T>(
  ctx: Ctx,
  name: string,
  none: T,
  load: (threads: readonly Thread[]) => Promise<{ place: number; value: T | null }[]>,
): DataLoader<Thread, T, string> =>
  getLoaded(
    ctx,
    name,
    () =>
      new DataLoader(
        async (threads) => {
          const byPlace = new Map((await load(threads)).map(({ place, value }) => [place, value]));
          return threads.map((_, i) => byPlace.get(i + 1) ?? none);
        },
        {
          maxBatchSize: THREAD_BATCH_SIZE,
          cacheKeyFn: ({ id, accountId, folderId }) => `${id} ${accountId} ${folderId}`,
        },
      ),
  );
