import type { Logger } from 'pino';
import type { Db } from '../../db/db.ts';
import { NOW } from '../../db/now.ts';
import type { Database } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ctx } from '../ctx/ctx.ts';

/** Something that happened in a workspace. */
export interface Event {
  id: number;
  workspaceId: number;
  topic: string;
  payload: Record<string, unknown>;
}

type Subscriber = (event: Event, host: { db: Database; log: Logger }) => Promise<void>;

const subscribers = new Map<string, Subscriber[]>();

/** Subscribes to a topic. A subscriber hears of an event at least once, after its transaction has committed. */
export function onEvent(topic: string, subscriber: Subscriber): void {
  subscribers.set(topic, [...(subscribers.get(topic) ?? []), subscriber]);
}

/** Records an event in the ctx's transaction. Subscribers get it if, and only if, the transaction commits. */
export async function emit(ctx: Ctx, topic: string, payload: Record<string, unknown>): Promise<void> {
  await note(ctx.db, ctx.workspace.id, topic, payload);
  announce(ctx);
}

/** Dispatches the events of the ctx's transaction as soon as it commits. */
export function announce(ctx: Ctx): void {
  ctx.afterCommit(() => ctx.runtime.db.notify('atrium_event', '').catch(() => undefined));
}

/** The same for a job, which has no ctx; dispatched within seconds. */
export async function note(
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

const POLL = 2_000;
const BATCH = 100;
const MOST_ATTEMPTS = 20;

/** Passes events to their subscribers until it is stopped. Any number of processes may do so together. */
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
          const timer = setTimeout(resolve, POLL);
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
  return db.transaction(async (tx) => {
    const events = await tx.rows<{
      id: number;
      workspace_id: number;
      topic: string;
      payload: Event['payload'];
      attempts: number;
    }>(
      sql`select id, workspace_id, topic, payload, attempts from svc_event
       where dispatched_at is null and run_at <= ${NOW}
       order by run_at, id limit ${sql.literal(BATCH)} for update skip locked`,
    );
    for (const { workspace_id, attempts, ...event } of events) {
      const failed = await notify({ ...event, workspaceId: workspace_id }, db, log);
      await tx.rows(
        sql`update svc_event set attempts = attempts + 1,
           dispatched_at = case when ${failed && attempts + 1 < MOST_ATTEMPTS} then null else now() end,
           run_at = now() + make_interval(secs => least(3600, power(2, attempts)))
         where workspace_id = ${workspace_id} and id = ${event.id}`,
      );
    }
    return events.length;
  });
}

async function notify(event: Event, db: Database, log: Logger): Promise<boolean> {
  try {
    for (const subscriber of subscribers.get(event.topic) ?? []) await subscriber(event, { db, log });
    return false;
  } catch (error) {
    log.warn({ err: error, event: event.id, topic: event.topic }, 'an event subscriber failed');
    return true;
  }
}
