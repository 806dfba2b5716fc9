import type { Logger } from 'pino';
import type { Db } from '../../db/db.ts';
import { NOW, NOW_ROW } from '../../db/now.ts';
import type { Database } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { startWorkerLoop, type WorkerLoop } from '../../loop/worker-loop.ts';
import type { Ctx } from '../ctx/ctx.ts';
import {
  createFailureGuard,
  DUE_CHANNEL,
  type FailureGuard,
  findDueWorkspaces,
  reschedule,
  scheduleDueWork,
} from './due.ts';
import { sweepDueTimes } from './sweep.ts';

export interface WorkspaceEvent {
  id: number;
  workspaceId: number;
  topic: string;
  payload: Record<string, unknown>;
}

type EventSubscriber = (event: WorkspaceEvent, host: { db: Database; log: Logger }) => Promise<void>;

const subscribers = new Map<string, EventSubscriber[]>();

/** Subscribes to a topic. Each event is delivered at least once, after its transaction has committed. */
export function onEvent(topic: string, subscriber: EventSubscriber): void {
  subscribers.set(topic, [...(subscribers.get(topic) ?? []), subscriber]);
}

/** Kind of `svc_due` rows for events that have not been dispatched. */
export const EVENT_KIND = 'event';

/** Records an event in the ctx's transaction. Subscribers receive it only if the transaction commits. */
export const emitEvent = (ctx: Ctx, topic: string, payload: Record<string, unknown>): Promise<void> =>
  recordEventRow(ctx.db, ctx.workspace.id, topic, payload);

export const scheduleEvents = (db: Db, workspaceId: number): void =>
  scheduleDueWork(db, workspaceId, EVENT_KIND);

/** Like `emitEvent`, for jobs, which have no ctx. */
export async function recordEventRow(
  db: Db,
  workspaceId: number,
  topic: string,
  payload: Record<string, unknown>,
): Promise<void> {
  const [id] = await db.idAllocator.allocate(workspaceId, 'svc_event', 1);
  await db.rows(
    sql`insert into svc_event (workspace_id, id, topic, payload)
      values (${workspaceId}, ${id}, ${topic}, ${JSON.stringify(payload)})`,
  );
  scheduleEvents(db, workspaceId);
}

const POLL_INTERVAL_MS = 2_000;
const BATCH_SIZE = 100;
const MAX_WORKSPACES = 20;
const MAX_ATTEMPTS = 20;

/** Dispatches events until it is stopped. Any number of processes may run it concurrently. */
export async function startDispatch(db: Database, log: Logger): Promise<{ stop(): Promise<void> }> {
  const guard = createFailureGuard(log, EVENT_KIND);
  let loop: WorkerLoop | undefined;
  // Throws before the loop starts if the connection cannot listen.
  await db.listen(DUE_CHANNEL, () => loop?.wake());
  loop = startWorkerLoop(POLL_INTERVAL_MS, () =>
    dispatchDueEvents(db, log, guard).catch((error) => {
      log.warn({ err: error }, 'could not process events; retrying');
      return 0;
    }),
  );
  return { stop: loop.stop };
}

/** Dispatches one batch for each workspace with due events, and returns the number of events. */
async function dispatchDueEvents(db: Database, log: Logger, guard: FailureGuard): Promise<number> {
  let all = 0;
  for (const due of await findDueWorkspaces(db, EVENT_KIND, MAX_WORKSPACES, guard.resting())) {
    const dispatchedCount = await guard.run(due.workspace_id, async () => {
      const { count, next } = await dispatchBatch(db, log, due.workspace_id);
      await reschedule(db, EVENT_KIND, due, next);
      return count;
    });
    all += dispatchedCount ?? 0;
  }
  return all;
}

interface DispatchedBatch {
  count: number;
  /** Time when the workspace's next event is due. */
  next: string | null;
}

/**
 * Dispatches a batch in order, skipping events that other processes have locked. If a subscriber fails, its event is
 * retried with backoff.
 */
const dispatchBatch = (db: Database, log: Logger, workspaceId: number): Promise<DispatchedBatch> =>
  db.transaction(async (tx) => {
    const events = await tx.rows<LockedEvent>(
      sql`select id, topic, payload, attempts from svc_event
       where workspace_id = ${workspaceId} and dispatched_at is null and run_at <= ${NOW}
       order by run_at, id limit ${sql.literal(BATCH_SIZE)} for update skip locked`,
    );
    for (const { attempts, ...event } of events) {
      const isFailed = await notifySubscribers({ ...event, workspaceId }, db, log);
      await tx.rows(
        sql`update svc_event set attempts = attempts + 1,
           dispatched_at = case when ${isFailed && attempts + 1 < MAX_ATTEMPTS} then null else n.now end,
           run_at = ${NOW} + make_interval(secs => least(3600, power(2, attempts)))
         from ${NOW_ROW} where workspace_id = ${workspaceId} and id = ${event.id}`,
      );
    }
    const next = await tx.value<string | null>(
      sql`select min(run_at)::text from svc_event
       where workspace_id = ${workspaceId} and dispatched_at is null`,
    );
    return { count: events.length, next };
  });

interface LockedEvent extends Omit<WorkspaceEvent, 'workspaceId'> {
  attempts: number;
}

/** Finds events whose note was lost in a crash. */
sweepDueTimes(EVENT_KIND, 'svc_event', 'run_at', sql`dispatched_at is null`);

async function notifySubscribers(event: WorkspaceEvent, db: Database, log: Logger): Promise<boolean> {
  try {
    for (const subscriber of subscribers.get(event.topic) ?? []) await subscriber(event, { db, log });
    return false;
  } catch (error) {
    log.warn({ err: error, event: event.id, topic: event.topic }, 'an event subscriber failed');
    return true;
  }
}
