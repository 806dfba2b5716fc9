import type pg from 'pg';
import type { Logger } from 'pino';
import { sql } from './sql.ts';

/** Inserted rows after which a table is analyzed, as in `autovacuum_analyze_threshold`. */
export const ANALYZED_ROWS = 1_000;
/** Minimum rows of an insert that is counted. Autovacuum is fast enough for tables that grow slowly. */
const MIN_COUNTED_ROWS = 100;
/** Minimum milliseconds between two analyses of a table by a process. */
const INTERVAL_MS = 10_000;

interface InsertedRows {
  count: number;
  /** Milliseconds since 1970. */
  nextAnalysis: number;
  isScheduled: boolean;
}

/**
 * Analyzes tables after large inserts, because autovacuum may take a minute. Until then, the planner expects hardly any
 * rows of a new workspace beside a large one, and joins them in nested loops.
 * @returns a function to call after the rows have been committed
 */
export function createTableAnalyzer(
  pool: pg.Pool,
  log: Logger,
): (table: string, insertedCount: number) => void {
  const tables = new Map<string, InsertedRows>();
  let lastAnalysis: Promise<unknown> = Promise.resolve();
  const analyze = (table: string) =>
    // Waiting for the lock would cancel a running autovacuum of the table.
    pool.query(sql`analyze (skip_locked) ${sql.id(table)}`.render()).catch((error) => {
      log.warn({ table, reason: error.message }, 'a table could not be analyzed');
    });
  return (table, insertedCount) => {
    if (insertedCount < MIN_COUNTED_ROWS) return;
    const inserted = tables.get(table) ?? { count: 0, nextAnalysis: 0, isScheduled: false };
    tables.set(table, inserted);
    inserted.count += insertedCount;
    if (inserted.count < ANALYZED_ROWS || inserted.isScheduled) return;
    inserted.isScheduled = true;
    const start = () => {
      Object.assign(inserted, { count: 0, nextAnalysis: Date.now() + INTERVAL_MS, isScheduled: false });
      lastAnalysis = lastAnalysis.then(() => analyze(table));
    };
    setTimeout(start, Math.max(0, inserted.nextAnalysis - Date.now())).unref();
  };
}
