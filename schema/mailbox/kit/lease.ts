import { NOW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import {
  buildClaimedRowsSql,
  claimDueRows,
  type DueWorkspace,
  scheduleDueWork,
} from '../../../src/engine/work/due.ts';
import { sweepDueTimes } from '../../../src/engine/work/sweep.ts';
import { createWorkerHeartbeat, HEARTBEAT_INTERVAL_MS } from '../../../src/engine/work/worker-heartbeat.ts';
import { realClock } from '../../../src/loop/clock.ts';

// Leases on work rows. `next_at` is the time when a row is due (null for never) or when its lease ends; `lease` names
// the process that claimed it. Rows of a dead process are due when the lease ends, or earlier if another process
// detects its death.

interface LeaseOptions {
  table: string;
  kind: string;
  /** Milliseconds until another process may claim the row. */
  lease: number;
  /** Number of claims after which `givenUp` applies. */
  attempts: number;
  /** Assignments to a claimed row, in addition to `attempts` and `next_at`. */
  taken?: Sql;
  givenUp: Sql;
  columns: Sql;
}

/** Defines a function that claims up to `limit` due rows of a workspace for this process. */
export function defineLeaseClaim({ table, kind, lease, attempts, taken, givenUp, columns }: LeaseOptions) {
  const rows = sql.id(table);
  const seconds = sql.literal(lease / 1_000);
  const maxAttempts = sql.literal(attempts);
  registerLeasedTable(table, kind);
  return <R extends { id: number }>(db: Database, due: DueWorkspace, limit: number): Promise<R[]> => {
    const { workspace_id: workspace, at } = due;
    return claimDueRows<R>(
      db,
      kind,
      due,
      sql`with picked as (
         select t.id from ${rows} t
         where t.workspace_id = ${workspace} and t.next_at <= ${at}::timestamp
         order by t.next_at, t.id limit ${limit} for update skip locked
       ), given_up as (
         update ${rows} t set ${givenUp} from picked
         where t.workspace_id = ${workspace} and t.id = picked.id and t.attempts >= ${maxAttempts}
       ), claimed as (
         update ${rows} t set ${taken ? sql`${taken}, ` : sql.empty}attempts = t.attempts + 1,
           lease = ${db.processName}, next_at = now() + make_interval(secs => ${seconds})
         from picked where t.workspace_id = ${workspace} and t.id = picked.id and t.attempts < ${maxAttempts}
         returning ${columns}
       )
       ${buildClaimedRowsSql(
         sql`least(
           (select min(t.next_at) from ${rows} t
            where t.workspace_id = ${workspace} and t.next_at is not null and t.id not in (select id from picked)),
           (select ${at}::timestamp + make_interval(secs => ${seconds}) from picked limit 1))`,
       )}`,
    );
  };
}

/** Tables by kind of due work in `svc_due`. */
const leasedTables = new Map<string, string>();

/**
 * Registers a table whose rows are released when the claiming process dies. Their `lease` is the process name,
 * optionally followed by a colon and a suffix. A periodic sweep finds rows that became due while no process was
 * running.
 */
export function registerLeasedTable(table: string, kind: string): void {
  leasedTables.set(kind, table);
  sweepDueTimes(kind, table, 'next_at', sql`next_at is not null`);
}

/** Releases rows claimed by dead processes, until it is stopped. */
export function startLeaseReleaser({ db, log }: Runtime): { stop(): Promise<void> } {
  const heartbeat = createWorkerHeartbeat(db, db.processName, 'mailbox', realClock.now);
  const controller = new AbortController();
  const loop = (async () => {
    while (!controller.signal.aborted) {
      try {
        const { dead } = await heartbeat.send();
        if (dead.length > 0) {
          await releaseLeases(db, dead);
          await heartbeat.removeDead(dead);
        }
      } catch (error) {
        log.debug({ err: error }, 'the heartbeat of the mailbox worker failed');
      }
      await realClock.sleep(HEARTBEAT_INTERVAL_MS, controller.signal).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      controller.abort();
      await loop;
      await heartbeat.end().catch(() => undefined);
    },
  };
}

/** Checks only workspaces with due work: `svc_due` has an entry until each lease ends. */
async function releaseLeases(db: Database, deadWorkers: string[]): Promise<void> {
  for (const [kind, table] of leasedTables) {
    const workspaces = await db.rows<{ workspace_id: number }>(
      sql`select d.workspace_id from svc_due d
       where d.workspace_id > 0 and d.kind = ${kind} and d.next_at < ${NOW} + interval '1 day'`,
    );
    for (const { workspace_id: workspace } of workspaces) {
      const freedRows = await db.rows(
        sql`update ${sql.id(table)} set next_at = ${NOW} where workspace_id = ${workspace} and next_at > ${NOW}
           and split_part(lease, ':', 1) = any(${deadWorkers}::text[]) returning id`,
      );
      if (freedRows.length > 0) scheduleDueWork(db, workspace, kind);
    }
  }
}
