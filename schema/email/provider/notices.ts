import { setTimeout as pause } from 'node:timers/promises';
import { memoizePerObject } from '../../../src/cache.ts';
import type { Db } from '../../../src/db/db.ts';
import { type Database, runWithRetries } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBatchingQueue } from '../../../src/engine/work/batching-queue.ts';
import { limits } from '../../../src/limits.ts';
import { applyNotice, EVENT_BATCH_SIZE } from './apply-notices.ts';
import { buildEventKey } from './event-key.ts';
import type { ProviderNotice } from './ses-event.ts';

const MAX_CONCURRENT_BATCHES = 4;
/**
 * Maximum number of received events that a process has not applied yet. Further events are left to `reconcile`, which
 * runs every minute.
 */
const MAX_EVENT_BACKLOG = 2_000;

interface ReceivedNotice extends ProviderNotice {
  topic: string;
}

/** Notifications that this process has stored but not applied yet. */
const getPendingCounter = memoizePerObject((_db: Database) => ({ count: 0 }));

const getNoticeBatcher = memoizePerObject((db: Database) =>
  createBatchingQueue<ReceivedNotice, number | null>({
    getKey: () => 0,
    runBatch: (notices) => runWithRetries(() => insertNotices(db, notices)),
    concurrency: MAX_CONCURRENT_BATCHES,
    maxSize: EVENT_BATCH_SIZE,
    isItemError: isContentError,
  }),
);

/**
 * True for errors caused by the data rather than the state of the database: SQLSTATE classes 22, 23 and 54, and errors
 * raised by our triggers.
 */
const isContentError = (error: unknown): boolean =>
  /^(22|23|54|AT)/.test((error as { code?: string }).code ?? '');

/**
 * Stores a notification, and resolves after the commit. The notification is then applied in a batch, or later by
 * `reconcile`. Ignores duplicates.
 * @throws the database error if it cannot be stored
 */
export async function receiveNotice(runtime: Runtime, notice: ReceivedNotice): Promise<void> {
  const { db, log } = runtime;
  const id = await getNoticeBatcher(db).add(notice);
  const pendingNotices = getPendingCounter(db);
  if (id === null || pendingNotices.count >= MAX_EVENT_BACKLOG) return;
  const { event: _event, topic: _topic, ...kept } = notice;
  pendingNotices.count++;
  void applyNotice(runtime, { ...kept, id })
    .catch((error) =>
      log.warn(
        { err: error, notice: id },
        'could not apply a notification from the provider; it will be retried',
      ),
    )
    .finally(() => pendingNotices.count--);
}

/** Waits for a limited time until all notifications of this process have been applied. `reconcile` applies the rest. */
export async function waitForNotices(db: Database): Promise<void> {
  const end = Date.now() + limits.http.drainTime;
  while (getPendingCounter(db).count > 0 && Date.now() < end) await pause(DRAIN_POLL_MS);
}

const DRAIN_POLL_MS = 10;

/** @returns the ids of new notifications; null for duplicates */
async function insertNotices(db: Db, notices: readonly ReceivedNotice[]): Promise<(number | null)[]> {
  const keys = notices.map(buildEventKey);
  const rows = notices.map(({ topic, event }, index) => {
    const knownKey = JSON.stringify({ key: keys[index], topic });
    return `${knownKey.slice(0, -1)},"body":${event}}`;
  });
  const storedNotices = await db.rows<{ id: number; message_id: string }>(
    sql`insert into svc_provider_event (message_id, topic, body, workspace_id)
     select key, topic, body, null from json_to_recordset(${`[${rows.join()}]`}::json)
       n(key text, topic text, body jsonb) order by 1
     on conflict (message_id) do nothing returning id, message_id`,
  );
  const ids = new Map(storedNotices.map(({ id, message_id }) => [message_id, id]));
  return keys.map((key) => {
    const id = ids.get(key) ?? null;
    ids.delete(key);
    return id;
  });
}
