import type pg from 'pg';
import type { Database } from '../../src/db/pool.ts';

export interface TableCounters {
  read: number;
  changed: number;
}

/**
 * Reads a table's counters. Sessions report their statistics after one to ten seconds, so every session of the pool
 * must report first. Takes all connections, because a busy session has not reported yet.
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

export async function measureTableUse(
  db: Database,
  table: string,
  run: () => Promise<unknown>,
): Promise<TableCounters> {
  const before = await readTableCounters(db, table);
  await run();
  const after = await readTableCounters(db, table);
  return {
    read: after.read - before.read,
    changed: after.changed - before.changed,
  };
}
