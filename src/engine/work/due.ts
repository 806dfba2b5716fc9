import type { Logger } from 'pino';
import { memoizePerObject } from '../../cache.ts';
import type { Db, RootDb } from '../../db/db.ts';
import { NOW } from '../../db/now.ts';
import { type Sql, sql } from '../../db/sql.ts';

/**
 * Workspaces with due work, by kind (`svc_due`). Workers first find a workspace here without a lock, then the rows in
 * that workspace. The cost therefore depends on the amount of due work, not on the number of workspaces.
 *
 * Code that makes work due writes a note after its commit, at most every `WRITE_INTERVAL_MS` per process. If the note
 * were part of the transaction, all sends of a workspace would wait for one row. The sweep (sweep.ts) finds work whose
 * note was lost in a crash.
 */

/** Notifies processes of new notes. The payload lists their kinds. */
export const DUE_CHANNEL = 'atrium_due';

export interface DueWorkspace {
  workspace_id: number;
  /** Passed to `reschedule`. */
  version: number;
  /** Database time when the workspace was found to be due. */
  at: string;
}

/** Time when work is due: at a timestamp, or after `wait` ms. Immediately if neither is set. */
export interface DueTime {
  at?: string | null;
  wait?: number;
}

/** Notes that a workspace has due work of a kind, once `db` has committed. */
export function scheduleDueWork(db: Db, workspaceId: number, kind: string, dueTime: DueTime = {}): void {
  db.afterCommit((database) => getDueNotes(database).add(workspaceId, kind, dueTime));
}

/** Like `scheduleDueWork`, but waits until the note is written. Used by workers that requeue work. */
export async function writeDueTime(db: Db, workspaceId: number, kind: string, wait: number): Promise<void> {
  await db.rows(UPSERT_ONE({ workspace: workspaceId, kind, at: '-infinity', wait: wait / 1000 }));
}

/** Finds workspaces with due work, longest wait first. Skips closed workspaces. */
export function findDueWorkspaces(
  db: Db,
  kind: string,
  limit: number,
  excludedIds: readonly number[] = [],
): Promise<DueWorkspace[]> {
  return db.rows<DueWorkspace>(SELECT_DUE({ kind, limit, excludedIds }));
}

/** Workspaces scheduled for deletion are closed: their work waits until they are restored. */
const IS_NOT_CLOSED = sql`not exists (
  select 1 from workspace w where w.id = d.workspace_id and w.purge_at is not null)`;

const SELECT_DUE = sql.prepare<{ kind: string; limit: number; excludedIds: readonly number[] }>(
  (p) => sql`
  select d.workspace_id, d.version, ${NOW}::text as at from svc_due d
  where d.workspace_id <> all(${p.excludedIds}::int[]) and d.kind = ${p.kind} and d.next_at <= ${NOW}
    and ${IS_NOT_CLOSED}
  order by d.next_at limit ${p.limit}`,
);

export async function findSoonestWorkspaces(db: Db, kind: string, limit: number): Promise<number[]> {
  const workspaceRows = await db.rows<{ workspace_id: number }>(
    sql`select d.workspace_id from svc_due d
     where d.workspace_id > 0 and d.kind = ${kind} and d.next_at < ${NOW} + interval '1 day' and ${IS_NOT_CLOSED}
     order by d.next_at limit ${limit}`,
  );
  return workspaceRows.map((workspaceRow) => workspaceRow.workspace_id);
}

/** Returns the number of seconds that the longest-waiting workspace has been due, or 0. */
export async function computeDueLag(db: Db, kind: string): Promise<number> {
  const [row] = await db.rows<{ seconds: number }>(
    sql`select extract(epoch from ${NOW} - d.next_at)::float8 as seconds from svc_due d
     where d.workspace_id > 0 and d.kind = ${kind} and d.next_at <= ${NOW} and ${IS_NOT_CLOSED}
     order by d.next_at limit 1`,
  );
  return row?.seconds ?? 0;
}

/**
 * Builds the end of a claim statement. It returns the rows of the `claimed` query, each with `next_due`, the time when
 * the workspace is due again, or null for never. Without claimed rows, a single row contains only `next_due`.
 */
export const buildClaimedRowsSql = (next: Sql): Sql =>
  sql`select n.next_due::text as next_due, c.* from (select (${next}) as next_due) n left join claimed c on true`;

/**
 * Runs a claim that ends with `buildClaimedRowsSql`, then stores when the workspace is due again. If the process
 * crashes in between, the workspace stays due and is checked again.
 */
export async function claimDueRows<R extends { id: number }>(
  db: Db,
  kind: string,
  due: DueWorkspace,
  claim: Sql,
): Promise<R[]> {
  const rows = await db.rows<R & { next_due: string | null }>(claim);
  await reschedule(db, kind, due, rows[0]!.next_due).catch(() => undefined);
  return rows.filter(({ id }) => id !== null);
}

/**
 * Stores `next`, the time when a workspace is due again (null for never), but at least the time of its last check, so
 * that a workspace with more work goes to the end of the queue. A concurrent note takes precedence. Runs outside the
 * work's transaction, because a cluster stores this table on another node.
 */
export async function reschedule(
  db: Db,
  kind: string,
  { workspace_id: workspace, version, at }: DueWorkspace,
  next: string | null,
): Promise<void> {
  await db.rows(RESCHEDULE({ workspace, kind, version, at, next }));
}

/** Commits without waiting for the disk. If the change is lost, the workspace is checked again. */
const RESCHEDULE = sql.prepare<{
  workspace: number;
  kind: string;
  version: number;
  at: string;
  next: string | null;
}>(
  (p) => sql`
  update svc_due d set next_at = greatest(${p.at}::timestamp, coalesce(${p.next}::timestamp, 'infinity'))
  from (select set_config('synchronous_commit', 'off', true)) relaxed
  where d.workspace_id = ${p.workspace} and d.kind = ${p.kind} and d.version = ${p.version}`,
);

export interface FailureGuard {
  resting(): number[];
  /** Returns null if `run` fails. The workspace is then skipped for a while. */
  run<T>(workspaceId: number, run: () => Promise<T>): Promise<T | null>;
}

/** Pause after the first failure in a workspace. Each further failure doubles it. */
const FIRST_REST_MS = 2_000;
const MAX_REST_MS = 30_000;

/**
 * Skips a workspace for a while after its work has failed, so that others are served. Otherwise, a database node that
 * is down would stop the work of all workspaces.
 */
export function createFailureGuard(log: Logger, kind: string): FailureGuard {
  const failed = new Map<number, { until: number; rest: number }>();
  return {
    resting() {
      const now = performance.now();
      return [...failed].flatMap(([id, { until }]) => (until > now ? [id] : []));
    },
    async run(workspaceId, run) {
      try {
        const result = await run();
        failed.delete(workspaceId);
        return result;
      } catch (error) {
        const rest = Math.min(MAX_REST_MS, (failed.get(workspaceId)?.rest ?? FIRST_REST_MS / 2) * 2);
        failed.set(workspaceId, { until: performance.now() + rest, rest });
        log.warn({ err: error, kind, workspace: workspaceId }, 'due work failed; retrying');
        return null;
      }
    },
  };
}

const WRITE_INTERVAL_MS = 100;
const RETRY_DELAY_MS = 1_000;

interface DueNote {
  workspaceId: number;
  kind: string;
  /** A timestamp, or `-infinity` if not set. */
  at: string;
  /** In seconds. */
  wait: number;
  /** Unix time in milliseconds. The earlier of two notes is kept. */
  time: number;
}

interface DueNotes {
  add(workspaceId: number, kind: string, dueTime: DueTime): void;
}

const getDueNotes = memoizePerObject(createDueNotes);

function createDueNotes(database: RootDb): DueNotes {
  let waitingNotes = new Map<string, DueNote>();
  let isRunning = false;
  let isClosed = false;

  function add(note: DueNote): void {
    const key = `${note.workspaceId} ${note.kind}`;
    const before = waitingNotes.get(key);
    if (!before || note.time < before.time) waitingNotes.set(key, note);
  }

  /** If the batch fails, writes each note separately, because the failure may affect only one database node. */
  async function tryWrite(batch: DueNote[]): Promise<boolean> {
    const failedNotes = await writeNotes(database, batch).then(
      () => [],
      () => (batch.length > 1 ? writeEach(database, batch) : batch),
    );
    for (const note of failedNotes) add(note);
    return failedNotes.length === 0;
  }

  async function write(): Promise<void> {
    while (waitingNotes.size > 0) {
      const batch = [...waitingNotes.values()];
      waitingNotes = new Map();
      const result = await tryWrite(batch);
      if (isClosed) return;
      await new Promise((resolve) =>
        setTimeout(resolve, result ? WRITE_INTERVAL_MS : RETRY_DELAY_MS).unref(),
      );
    }
  }

  const start = (): void => {
    if (isRunning) return;
    isRunning = true;
    void write().finally(() => {
      isRunning = false;
      if (waitingNotes.size > 0 && !isClosed) start();
    });
  };
  database.onClose(async () => {
    isClosed = true;
    if (waitingNotes.size > 0) await writeNotes(database, [...waitingNotes.values()]).catch(() => undefined);
  });
  return {
    add(workspaceId, kind, { at, wait = 0 }) {
      const time = at ? Date.parse(at) : Date.now() + wait;
      add({ workspaceId, kind, at: at ?? '-infinity', wait: wait / 1000, time });
      start();
    },
  };
}

async function writeEach(database: RootDb, batch: readonly DueNote[]): Promise<DueNote[]> {
  const remainingNotes: DueNote[] = [];
  for (const note of batch) await writeNotes(database, [note]).catch(() => remainingNotes.push(note));
  return remainingNotes;
}

/** Writes the notes in a fixed order, so that concurrent processes do not deadlock. */
async function writeNotes(database: RootDb, batch: DueNote[]): Promise<void> {
  const [singleNote] = batch;
  if (batch.length === 1)
    await database.rows(
      UPSERT_ONE({
        workspace: singleNote!.workspaceId,
        kind: singleNote!.kind,
        at: singleNote!.at,
        wait: singleNote!.wait,
      }),
    );
  else await writeBatch(database, batch);
  const now = new Set(batch.filter((note) => note.time <= Date.now()).map((note) => note.kind));
  if (now.size > 0) await database.notify(DUE_CHANNEL, [...now].join(' '));
}

async function writeBatch(database: RootDb, batch: DueNote[]): Promise<void> {
  const sortedNotes = batch.sort((a, b) => a.workspaceId - b.workspaceId || (a.kind < b.kind ? -1 : 1));
  await database.rows(
    UPSERT_MANY({
      workspaces: sortedNotes.map((note) => note.workspaceId),
      kinds: sortedNotes.map((note) => note.kind),
      at: sortedNotes.map((note) => note.at),
      waits: sortedNotes.map((note) => note.wait),
    }),
  );
}

const KEEP_SOONER = sql`on conflict (workspace_id, kind) do update
    set next_at = least(svc_due.next_at, excluded.next_at), version = svc_due.version + 1`;

/** On Citus, an insert of a single row does not need a two-phase commit. */
const UPSERT_ONE = sql.prepare<{ workspace: number; kind: string; at: string; wait: number }>(
  (p) => sql`
  insert into svc_due (workspace_id, kind, next_at)
  values (${p.workspace}, ${p.kind},
    greatest(${p.at}::timestamptz at time zone 'UTC', ${NOW} + make_interval(secs => ${p.wait})))
  ${KEEP_SOONER}`,
);

const UPSERT_MANY = sql.prepare<{ workspaces: number[]; kinds: string[]; at: string[]; waits: number[] }>(
  (p) => sql`
  insert into svc_due (workspace_id, kind, next_at)
  select n.workspace_id, n.kind,
    greatest(n.at at time zone 'UTC', ${NOW} + make_interval(secs => n.wait))
  from unnest(${p.workspaces}::int[], ${p.kinds}::text[], ${p.at}::timestamptz[], ${p.waits}::float8[])
    n(workspace_id, kind, at, wait)
  ${KEEP_SOONER}`,
);
