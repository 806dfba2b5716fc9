import { buildProcessGoneSql } from '../../db/notifications/listener.ts';
import { NOW } from '../../db/now.ts';
import type { Database } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

export const HEARTBEAT_INTERVAL_MS = 1_000;
/** A worker without a heartbeat for this long counts as dead. */
const MAX_SILENCE_MS = 8_000;
/**
 * Shorter limit for a worker whose process has lost its database connection. It must be exceeded at two consecutive
 * heartbeats.
 */
const MAX_STALL_MS = 1_500;
/**
 * A worker whose own heartbeat is older than this does not declare others dead, because the database may have been
 * unavailable.
 */
const MAX_OWN_SILENCE_MS = 3_000;

interface WorkerPeers {
  alive: number;
  /** Ids of dead workers, whose work must be taken over. */
  dead: string[];
}

export interface WorkerHeartbeat {
  readonly id: string;
  send(): Promise<WorkerPeers>;
  /** Removes dead workers after their work has been taken over. */
  removeDead(ids: string[]): Promise<void>;
  /** Removes this worker, which must have no claimed work left. */
  end(): Promise<void>;
}

/** @param now returns milliseconds */
export function createWorkerHeartbeat(
  db: Database,
  id: string,
  kind: string,
  now: () => number,
): WorkerHeartbeat {
  let last = Number.NEGATIVE_INFINITY;
  let steadySince = Number.POSITIVE_INFINITY;
  let stoppedWorkers = new Set<string>();
  return {
    id,
    async send() {
      const otherRows = await db.rows<{ id: string; silent: boolean; left: boolean }>(
        SIGN_AND_LIST({ id, kind, silence: MAX_SILENCE_MS / 1000, stall: MAX_STALL_MS / 1000 }),
      );
      const time = now();
      const isSteady = time - last <= MAX_OWN_SILENCE_MS;
      if (!isSteady) steadySince = time;
      last = time;
      const leftBefore = isSteady ? stoppedWorkers : new Set<string>();
      stoppedWorkers = new Set(otherRows.filter((other) => other.left).map((other) => other.id));
      const mayJudge = time - steadySince >= MAX_SILENCE_MS;
      const deadOthers = otherRows.filter(
        (other) => (mayJudge && other.silent) || (other.left && leftBefore.has(other.id)),
      );
      return {
        alive: otherRows.filter((other) => !other.silent).length,
        dead: deadOthers.map((other) => other.id),
      };
    },
    removeDead: (ids) => removeWorkers(db, ids),
    end: () => removeWorkers(db, [id]),
  };
}

const SIGN_AND_LIST = sql.prepare<{ id: string; kind: string; silence: number; stall: number }>(
  (p) => sql`
  with own as (
    insert into svc_worker (id, kind, seen_at) values (${p.id}, ${p.kind}, ${NOW})
    on conflict (id) do update set seen_at = excluded.seen_at
  )
  select w.id, w.seen_at < ${NOW} - make_interval(secs => ${p.silence}) as silent,
    case when w.id like 'process %' and w.seen_at < ${NOW} - make_interval(secs => ${p.stall})
      then ${buildProcessGoneSql(sql`w.id`)} else false end as "left"
  from svc_worker w where w.kind = ${p.kind} and w.id <> ${p.id}`,
);

const removeWorkers = async (db: Database, ids: string[]): Promise<void> => {
  await db.rows(sql`delete from svc_worker where id = any(${ids})`);
};
