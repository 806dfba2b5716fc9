import type pg from 'pg';
import type { Database } from '../../src/db/pool.ts';

/** Rows of a table that statements have fetched, in any way, and changed, since the database exists. */
export interface TableCounters {
  read: number;
  changed: number;
}

/**
 * A session reports what it did a second later at the earliest, and up to ten when it is idle: so each one of the pool
 * is made to report first. All the pool may have are taken, for one that is at work has not reported either.
 */
export async function readTableCounters(db: Database, table: string): Promise<TableCounters> {
  const sessions: pg.PoolClient[] = await Promise.all(
    Array.from({ length: db.pool.options.max }, () => db.pool.connect()),
  );
  try {
    await Promise.all(sessions.map((session) => session.query('select pg_stat_force_next_flush()')));
    const { rows } = await sessions[0]!.query<TableCounters>(
      `select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::float8 as read, (n_tup_ins + n_tup_upd)::float8 as changed
       from pg_stat_user_tables where relname = $1`,
      [table],
    );
    return rows[0]!;
  } finally {
    for (const session of sessions) session.release();
  }
}

/** What `work` adds to the counters of a table. */
export async function measureTableUse(
  db: Database,
  table: string,
  work: () => Promise<unknown>,
): Promise<TableCounters> {
  const before = await readTableCounters(db, table);
  await work();
  const after = await readTableCounters(db, table);
  return {
    read: after.read - before.read,
    changed: after.changed - before.changed,
  };
}
