import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';

interface WatchedSource {
  workspaceId: number;
  source: string;
}

const RENEW_INTERVAL_MS = 60_000;
const POLL_INTERVAL_MS = 20;

/**
 * Leases that make the database log changes to followed sources. A lease outlasts its stream, so that a client can
 * reconnect without missing changes.
 */
export interface SourceLeases {
  /** Starts logging changes to a source. */
  open(source: WatchedSource): SourceLease;
}

export interface SourceLease {
  /**
   * Resolves once all running transactions have seen the lease, with the id of the first transaction from which no
   * change is missing.
   */
  since: Promise<bigint>;
  /** Must be called once. */
  close(): void;
}

interface SharedLease extends WatchedSource {
  users: number;
  since: Promise<bigint>;
}

/** @param onError called if a renewal fails; it is retried long before the lease expires */
export function createLeases(db: Database, onError: (error: unknown) => void): SourceLeases {
  const leases = new Map<string, SharedLease>();
  let timer: NodeJS.Timeout | undefined;
  const renew = () => {
    const all = [...leases.values()];
    claimLeases(db, all).catch(onError);
  };
  const drop = (lease: SharedLease) => {
    const key = getLeaseKey(lease);
    if (leases.get(key) === lease) leases.delete(key);
    if (leases.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const begin = (source: WatchedSource): SharedLease => {
    const lease = { ...source, users: 0, since: beginLease(db, source) };
    lease.since.catch(() => drop(lease));
    leases.set(getLeaseKey(source), lease);
    timer ??= setInterval(renew, RENEW_INTERVAL_MS).unref();
    return lease;
  };
  return {
    open(source) {
      const lease = leases.get(getLeaseKey(source)) ?? begin(source);
      lease.users++;
      return {
        since: lease.since,
        close() {
          if (--lease.users === 0) drop(lease);
        },
      };
    },
  };
}

const getLeaseKey = ({ workspaceId, source }: WatchedSource): string => `${workspaceId} ${source}`;

/**
 * Acquires the lease. Transactions that checked for a lease before this one was committed have logged nothing, so no
 * stream starts until they have ended.
 */
async function beginLease(db: Database, watchedSource: WatchedSource): Promise<bigint> {
  await claimLeases(db, [watchedSource]);
  const { workspaceId, source } = watchedSource;
  for (;;) {
    const [row] = await db.rows<{ since: string; is_complete: boolean }>(
      sql`select since::text, since <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint as is_complete
       from svc_live
       where workspace_id = ${workspaceId} and topic = ${source}`,
    );
    if (row?.is_complete) return BigInt(row.since);
    await sleep(POLL_INTERVAL_MS);
  }
}

/** A lease counts as expired this long before its expiry, so that it cannot expire between two statements. */
const EXPIRY_MARGIN_SECONDS = 10;

/**
 * Restarts an expired lease, because nothing was logged after its expiry. The last statement begins when the lease is
 * visible, so all transactions from its `xmax` on have seen the lease.
 */
async function claimLeases(db: Database, sources: WatchedSource[]): Promise<void> {
  for (const [workspaceId, workspaceSources] of Map.groupBy(sources, (item) => item.workspaceId))
    await claimWorkspaceLeases(
      db,
      workspaceId,
      workspaceSources.map((item) => item.source),
    );
}

async function claimWorkspaceLeases(db: Database, workspaceId: number, sources: string[]): Promise<void> {
  await db.rows(
    sql`update svc_live set since = null where workspace_id = ${workspaceId} and topic = any(${sources})
     and until <= now()::timestamptz + make_interval(secs => ${EXPIRY_MARGIN_SECONDS})`,
  );
  await db.rows(
    sql`insert into svc_live (workspace_id, topic, until)
     select ${workspaceId}::int, topic, now() + make_interval(mins => ${limits.live.keepMinutes})
     from unnest(${sources}::text[]) topic order by topic
     on conflict (topic, workspace_id) do update set until = excluded.until`,
  );
  await db.rows(
    sql`update svc_live set since = pg_snapshot_xmax(pg_current_snapshot())::text::bigint
     where workspace_id = ${workspaceId} and topic = any(${sources}) and since is null`,
  );
}
