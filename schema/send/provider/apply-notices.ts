import { memoizePerObject } from '../../../src/cache.ts';
import type { Db } from '../../../src/db/db.ts';
import { isOutage } from '../../../src/db/outage.ts';
import { withRetries } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBatchingQueue } from '../../../src/engine/work/batching-queue.ts';
import { limits } from '../../../src/limits.ts';
import { type EmailEvent, lockEmails, recordLockedEvents } from '../state/email-events.ts';
import type { ProviderNotice } from './ses-event.ts';

/** A notice that is kept, by the id of its row. */
export type StoredNotice = Omit<ProviderNotice, 'event'> & { id: number };

/** The email that a notice is about. */
interface NoticeEmail {
  place: number;
  workspace_id: number;
  id: number;
}

type Applier = Pick<Runtime, 'db' | 'config'>;

const appliers = memoizePerObject((runtime: Applier) =>
  createBatchingQueue<StoredNotice, void>({
    // Of all workspaces: which one a notice belongs to is not known before.
    getKey: () => 0,
    runBatch: async (notices) => {
      await withRetries(() => applyBatch(runtime, notices));
      return notices.map(() => undefined);
    },
    // So that those that come meanwhile are many.
    concurrency: 1,
    maxSize: limits.provider.eventBatch,
    // Whatever stops one may not stop those beside it: they would fail with it each minute.
    isItemError: (error) => !isOutage(error),
  }),
);

/**
 * Applies a kept notice once, with those that wait at the same time; one about an email that is not known (yet), or
 * whose sending still runs, goes on waiting.
 */
export const applyNotice = (runtime: Applier, notice: StoredNotice): Promise<void> =>
  appliers(runtime).add(notice);

async function applyBatch({ db, config }: Applier, given: readonly StoredNotice[]): Promise<void> {
  // Always in this order, so that two processes do not wait for each other.
  const notices = [...given].sort((a, b) => a.id - b.id);
  const found = await findEmails(db, notices);
  const known = notices.flatMap((notice, place) => {
    const email = found.get(place);
    return email ? [{ id: notice.id, event: toEmailEvent(notice, email) }] : [];
  });
  if (known.length === 0) return;
  await db.transaction(async (tx) => {
    const [open, emails] = await Promise.all([
      claimNotices(
        tx,
        known.map(({ id }) => id),
      ),
      lockEmails(
        tx,
        known.map(({ event }) => event),
      ),
    ]);
    // One that was given twice, by who took it and by `reconcile`, is applied once.
    const ours = known.filter(({ id }) => open.delete(id));
    const later = await recordLockedEvents(
      tx,
      config,
      ours.map(({ event }) => event).sort(compareTime),
      emails,
    );
    await recordApplied(
      tx,
      ours.filter(({ event }) => !later.includes(event)),
    );
  });
}

/** A notice as an event of its email. Pure. */
const toEmailEvent = (notice: StoredNotice, { workspace_id, id }: NoticeEmail): EmailEvent => ({
  workspaceId: workspace_id,
  emailId: id,
  status: notice.status,
  data: notice.data,
  providerId: notice.providerId,
});

/** Applies the notifications of one transaction in the order in which they happened, as far as known. */
function compareTime(a: EmailEvent, b: EmailEvent): number {
  return getEventTime(a) < getEventTime(b) ? -1 : getEventTime(a) > getEventTime(b) ? 1 : 0;
}

const getEventTime = ({ data }: EmailEvent): string =>
  typeof data?.timestamp === 'string' ? data.timestamp : '';

/** Locks notices. @returns those that are not applied and that no other process applies now */
async function claimNotices(db: Db, ids: number[]): Promise<Set<number>> {
  const rows = await db.rows<{ id: number }>(
    sql`select id from svc_provider_event where id = any(${ids}::bigint[]) and applied_at is null
       and (workspace_id is null or workspace_id > 0)
     order by id for update skip locked`,
  );
  return new Set(rows.map(({ id }) => id));
}

async function recordApplied(tx: Db, done: { id: number; event: EmailEvent }[]): Promise<void> {
  if (done.length === 0) return;
  const marked = tx.rows(
    sql`update svc_provider_event p set applied_at = now(), workspace_id = d.workspace_id, email_id = d.email_id
     from unnest(${done.map(({ id }) => id)}::bigint[], ${done.map(({ event }) => event.workspaceId)}::int[],
       ${done.map(({ event }) => event.emailId)}::int8[]) d(id, workspace_id, email_id) where p.id = d.id`,
  );
  tx.finish();
  await marked;
}

/** What says which email a notice is about. */
type NoticeKey = Pick<ProviderNotice, 'providerId' | 'emailId' | 'workspaceId'>;

/**
 * The emails of notices, by their place: by the provider's id of the message, else by our own, within the workspace
 * that their tags name. Mail that went out without tags is looked up in all workspaces.
 */
export async function findEmails(db: Db, notices: NoticeKey[]): Promise<Map<number, NoticeEmail>> {
  const found = new Map<number, NoticeEmail>();
  const places = [...notices.keys()];
  const look = async (among: number[], find: (list: string) => Sql) => {
    const open = among.filter((place) => !found.has(place));
    if (open.length === 0) return;
    const list = open.map((place) => ({ place, ...toIds(notices[place]!) }));
    for (const row of await db.rows<NoticeEmail>(find(JSON.stringify(list)))) found.set(row.place, row);
  };
  for (const [workspaceId, its] of Map.groupBy(places, (place) => notices[place]!.workspaceId)) {
    if (workspaceId === null) {
      await look(its, findByProviderId);
      await look(its.filter(isNamed), findInAllWorkspaces);
    } else {
      await look(its, (list) => findByProviderIdIn(workspaceId, list));
      await look(its.filter(isNamed), (list) => findByEmailId(workspaceId, list));
    }
  }
  return found;

  function isNamed(place: number): boolean {
    return notices[place]!.emailId !== null;
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
