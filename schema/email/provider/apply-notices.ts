import { memoizePerObject } from '../../../src/cache.ts';
import type { Db } from '../../../src/db/db.ts';
import { isOutage } from '../../../src/db/outage.ts';
import { runWithRetries } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBatchingQueue } from '../../../src/engine/work/batching-queue.ts';
import { type EmailEvent, lockEmails, recordLockedEvents } from '../state/email-events.ts';
import type { ProviderNotice } from './ses-event.ts';

export const EVENT_BATCH_SIZE = 200;

type StoredNotice = Omit<ProviderNotice, 'event'> & { id: number };

interface NoticeEmail {
  place: number;
  workspace_id: number;
  id: number;
}

type NoticeRuntime = Pick<Runtime, 'db' | 'config'>;

const getNoticeQueue = memoizePerObject((runtime: NoticeRuntime) =>
  createBatchingQueue<StoredNotice, void>({
    // Batches all workspaces together, because a notification's workspace is not known yet.
    getKey: () => 0,
    runBatch: async (notices) => {
      await runWithRetries(() => applyNoticeBatch(runtime, notices));
      return notices.map(() => undefined);
    },
    // The next batch fills while the current one runs.
    concurrency: 1,
    maxSize: EVENT_BATCH_SIZE,
    // After any error except an outage, applies the notifications one by one, so that a faulty one does not block the
    // others.
    isItemError: (error) => !isOutage(error),
  }),
);

/**
 * Applies a stored notification once, batched with others. It stays pending if its email is unknown or still being
 * sent.
 */
export const applyNotice = (runtime: NoticeRuntime, notice: StoredNotice): Promise<void> =>
  getNoticeQueue(runtime).add(notice);

async function applyNoticeBatch(
  { db, config }: NoticeRuntime,
  batch: readonly StoredNotice[],
): Promise<void> {
  // Sorted, so that concurrent batches lock the rows in the same order and cannot deadlock.
  const notices = [...batch].sort((a, b) => a.id - b.id);
  const emailsByPlace = await findNoticeEmails(db, notices);
  const matchedNotices = notices.flatMap((notice, index) => {
    const email = emailsByPlace.get(index);
    return email ? [{ id: notice.id, event: toEmailEvent(notice, email) }] : [];
  });
  if (matchedNotices.length === 0) return;
  await db.transaction(async (tx) => {
    const [pendingIds, emails] = await Promise.all([
      claimNotices(
        tx,
        matchedNotices.map(({ id }) => id),
      ),
      lockEmails(
        tx,
        matchedNotices.map(({ event }) => event),
      ),
    ]);
    // Skips notifications that `reconcile` has applied concurrently.
    const claimedNotices = matchedNotices.filter(({ id }) => pendingIds.delete(id));
    const postponedEvents = await recordLockedEvents(
      tx,
      config,
      claimedNotices.map(({ event }) => event).sort(compareTime),
      emails,
    );
    await recordAppliedNotices(
      tx,
      claimedNotices.filter(({ event }) => !postponedEvents.includes(event)),
    );
  });
}

const toEmailEvent = (notice: StoredNotice, { workspace_id, id }: NoticeEmail): EmailEvent => ({
  workspaceId: workspace_id,
  emailId: id,
  status: notice.status,
  data: notice.data,
  providerId: notice.providerId,
});

function compareTime(a: EmailEvent, b: EmailEvent): number {
  return getEventTime(a) < getEventTime(b) ? -1 : getEventTime(a) > getEventTime(b) ? 1 : 0;
}

const getEventTime = ({ data }: EmailEvent): string =>
  typeof data?.timestamp === 'string' ? data.timestamp : '';

/** Locks pending notifications, except those locked by another process. @returns the locked ids */
async function claimNotices(db: Db, ids: number[]): Promise<Set<number>> {
  const rows = await db.rows<{ id: number }>(
    sql`select id from svc_provider_event where id = any(${ids}::bigint[]) and applied_at is null
       and (workspace_id is null or workspace_id > 0)
     order by id for update skip locked`,
  );
  return new Set(rows.map(({ id }) => id));
}

async function recordAppliedNotices(tx: Db, done: { id: number; event: EmailEvent }[]): Promise<void> {
  if (done.length === 0) return;
  const marked = tx.rows(
    sql`update svc_provider_event p set applied_at = now(), workspace_id = d.workspace_id, email_id = d.email_id
     from unnest(${done.map(({ id }) => id)}::bigint[], ${done.map(({ event }) => event.workspaceId)}::int[],
       ${done.map(({ event }) => event.emailId)}::int8[]) d(id, workspace_id, email_id) where p.id = d.id`,
  );
  tx.finish();
  await marked;
}

type NoticeKey = Pick<ProviderNotice, 'providerId' | 'emailId' | 'workspaceId'>;

/**
 * Finds the emails that notifications refer to: by the provider's message id, or else by our email id within the
 * workspace that the tags identify. Mail sent without tags is looked up in all workspaces. Both lookups use an index.
 */
export async function findNoticeEmails(db: Db, notices: NoticeKey[]): Promise<Map<number, NoticeEmail>> {
  const emailsByPlace = new Map<number, NoticeEmail>();
  const places = [...notices.keys()];
  const findMissing = async (indexes: number[], find: (list: string) => Sql) => {
    const missingIndexes = indexes.filter((index) => !emailsByPlace.has(index));
    if (missingIndexes.length === 0) return;
    const list = missingIndexes.map((index) => ({ place: index, ...toIds(notices[index]!) }));
    for (const row of await db.rows<NoticeEmail>(find(JSON.stringify(list))))
      emailsByPlace.set(row.place, row);
  };
  for (const [workspaceId, workspaceIndexes] of Map.groupBy(places, (index) => notices[index]!.workspaceId)) {
    if (workspaceId === null) {
      await findMissing(workspaceIndexes, findByProviderId);
      await findMissing(workspaceIndexes.filter(hasEmailId), findInAllWorkspaces);
    } else {
      await findMissing(workspaceIndexes, (list) => findByProviderIdIn(workspaceId, list));
      await findMissing(workspaceIndexes.filter(hasEmailId), (list) => findByEmailId(workspaceId, list));
    }
  }
  return emailsByPlace;

  function hasEmailId(index: number): boolean {
    return notices[index]!.emailId !== null;
  }
}

const toIds = ({ providerId, emailId }: NoticeKey) => ({ providerId, emailId });

const buildNoticeRows = (list: string): Sql =>
  sql`json_to_recordset(${list}::json) n(place int, "providerId" text, "emailId" text)`;

const findByProviderIdIn = (workspaceId: number, list: string): Sql => sql`
  select n.place, e.workspace_id, e.id from ${buildNoticeRows(list)} join svc_email e on e.provider_id = n."providerId"
  where e.workspace_id = ${workspaceId}`;

const findByEmailId = (workspaceId: number, list: string): Sql => sql`
  select n.place, e.workspace_id, e.id from ${buildNoticeRows(list)} join svc_email e on e.public_id = n."emailId"
  where e.workspace_id = ${workspaceId}`;

const findByProviderId = (
  list: string,
): Sql => sql`select n.place, e.workspace_id, e.id from ${buildNoticeRows(list)}
  join svc_email e on e.provider_id = n."providerId"`;

const findInAllWorkspaces = (
  list: string,
): Sql => sql`select n.place, e.workspace_id, e.id from ${buildNoticeRows(list)}
  cross join workspace w join svc_email e on e.workspace_id = w.id and e.public_id = n."emailId"`;
