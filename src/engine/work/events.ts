import type { Logger } from 'pino';
import type { Db } from '../../db/db.ts';
import { NOW, NOW_ROW } from '../../db/now.ts';
import type { Database } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ctx } from '../ctx/ctx.ts';

export interface WorkspaceEvent {
  id: number;
  workspaceId: number;
  topic: string;
  payload: Record<string, unknown>;
}

type EventSubscriber = (event: WorkspaceEvent, host: { db: Database; log: Logger }) => Promise<void>;

const subscribers = new Map<string, EventSubscriber[]>();

/** Subscribes to a topic. A subscriber receives each event at least once, after its transaction has committed. */
export function onEvent(topic: string, subscriber: EventSubscriber): void {
  subscribers.set(topic, [...(subscribers.get(topic) ?? []), subscriber]);
}

/** Records an event in the ctx's transaction. Subscribers receive it if, and only if, the transaction commits. */
export async function emitEvent(ctx: Ctx, topic: string, payload: Record<string, unknown>): Promise<void> {
  await recordEventRow(ctx.db, ctx.workspace.id, topic, payload);
  announceEvents(ctx);
}

/** Dispatches the events of the ctx's transaction as soon as it commits. */
export function announceEvents(ctx: Ctx): void {
  ctx.afterCommit(() => ctx.runtime.db.notify('atrium_event', '').catch(() => undefined));
}

/** Records an event from a job, which has no ctx. It is dispatched within seconds. */
export async function recordEventRow(
  db: Db,
  workspaceId: number,
  topic: string,
  payload: Record<string, unknown>,
): Promise<void> {
  await db.rows(
    sql`insert into svc_event (workspace_id, topic, payload)
      values (${workspaceId}, ${topic}, ${JSON.stringify(payload)})`,
  );
}

const POLL_INTERVAL_MS = 2_000;
const BATCH_SIZE = 100;
/** Number of batches that other processes may have claimed before a free one. */
const MAX_BATCHES_AHEAD = 10;
const MAX_ATTEMPTS = 20;

/** Passes events to their subscribers until it is stopped. Any number of processes may run it concurrently. */
export async function startDispatch(db: Database, log: Logger): Promise<{ stop(): Promise<void> }> {
  let stopped = false;
  let wake: () => void = () => undefined;
  const loop = async () => {
    while (!stopped) {
      const dispatched = await dispatch(db, log).catch((error) => {
        log.warn({ err: error }, 'could not process events; retrying');
        return 0;
      });
      if (dispatched === 0 && !stopped) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_INTERVAL_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  };
  await db.listen('atrium_event', () => wake());
  const running = loop();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

/** Dispatches a batch in order. An event whose subscriber fails is retried with backoff. */
async function dispatch(db: Database, log: Logger): Promise<number> {
  const due = await db.rows<EventKey>(
    sql`select workspace_id, id from svc_event where dispatched_at is null and run_at <= ${NOW}
     order by run_at, id limit ${sql.literal(BATCH_SIZE * MAX_BATCHES_AHEAD)}`,
  );
  if (due.length === 0) return 0;
  return db.transaction(async (tx) => {
    const events = await lockFirstFree(tx, due);
    for (const { workspace_id, attempts, ...event } of events) {
      const failed = await notifySubscribers({ ...event, workspaceId: workspace_id }, db, log);
      await tx.rows(
        sql`update svc_event set attempts = attempts + 1,
           dispatched_at = case when ${failed && attempts + 1 < MAX_ATTEMPTS} then null else n.now end,
           run_at = ${NOW} + make_interval(secs => least(3600, power(2, attempts)))
         from ${NOW_ROW} where workspace_id = ${workspace_id} and id = ${event.id}`,
      );
    }
    return events.length;
  });
}

type EventKey = Pick<LockedEvent, 'workspace_id' | 'id'>;

interface LockedEvent extends Omit<WorkspaceEvent, 'workspaceId'> {
  workspace_id: number;
  attempts: number;
}

/** The first batch that other processes have not fully claimed. */
async function lockFirstFree(tx: Db, due: EventKey[]): Promise<LockedEvent[]> {
  for (let from = 0; from < due.length; from += BATCH_SIZE) {
    const events = await lockEvents(tx, due.slice(from, from + BATCH_SIZE));
    if (events.length > 0) return events;
  }
  return [];
}

/** Locks events in the given order. Excludes events that other processes have locked or dispatched. */
async function lockEvents(tx: Db, due: EventKey[]): Promise<LockedEvent[]> {
  const held = new Map<string, LockedEvent>();
  for (const [workspaceId, its] of Map.groupBy(due, (each) => each.workspace_id)) {
    const rows = await tx.rows<LockedEvent>(
      sql`select id, workspace_id, topic, payload, attempts from svc_event
       where workspace_id = ${workspaceId} and id = any(${its.map(({ id }) => id)})
         and dispatched_at is null and run_at <= ${NOW}
       for update skip locked`,
    );
    for (const row of rows) held.set(`${workspaceId} ${row.id}`, row);
  }
  return due.flatMap(({ workspace_id, id }) => held.get(`${workspace_id} ${id}`) ?? []);
}

async function notifySubscribers(event: WorkspaceEvent, db: Database, log: Logger): Promise<boolean> {
  try {
    for (const subscriber of subscribers.get(event.topic) ?? []) await subscriber(event, { db, log });
    return false;
  } catch (error) {
    log.warn({ err: error, event: event.id, topic: event.topic }, 'an event subscriber failed');
    return true;
  }
}
