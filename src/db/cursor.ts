import pg from 'pg';
import Cursor from 'pg-cursor';
import { limits } from '../limits.ts';
import type { OutageTracker } from './outage.ts';
import type { Sql } from './sql.ts';
import { cancelStatement } from './stoppable.ts';
import { assertTenantScoped } from './tripwire.ts';

/** Maximum concurrent streamed responses per process. Each one holds a connection. */
export const MAX_STREAMED_RESPONSES = 5;
/** Time that a streamed response waits for its client before it is aborted. */
const MAX_CLIENT_PAUSE_MS = 20_000;

/** Reads the rows of one statement in batches. Holds a connection until it is closed. */
export interface RowCursor<R> {
  /** Returns at most `count` rows, or none at the end. */
  read(count: number): Promise<R[]>;
  close(): Promise<void>;
}

// Timestamps are returned as text, because the engine parses and formats UTC times itself.
export const typeOverrides = new pg.TypeOverrides();
for (const oid of [1082, 1114, 1184]) typeOverrides.setTypeParser(oid, (text: string) => text);
// bigint and bigint[]. Ids stay below 2^53, where numbers are exact.
typeOverrides.setTypeParser(20, (text: string) => Number(text));
const parseTextArray = pg.types.getTypeParser(1016 as never) as (text: string) => string[];
typeOverrides.setTypeParser(1016, (text: string) => parseTextArray(text).map(Number));

/** Opens a cursor. Returns null if the maximum number of cursors is open. Calls `onClose` in either case. */
export type CursorOpener = <R>(statement: Sql, onClose: () => void) => Promise<RowCursor<R> | null>;

export function createCursorOpener(pool: pg.Pool, outage: OutageTracker): CursorOpener {
  let openCount = 0;
  return async <R>(statement: Sql, onClose: () => void): Promise<RowCursor<R> | null> => {
    if (openCount >= MAX_STREAMED_RESPONSES) {
      onClose();
      return null;
    }
    openCount++;
    const end = () => {
      openCount--;
      onClose();
    };
    return openCursor<R>(pool, outage, statement, end).catch((error) => {
      end();
      throw error;
    });
  };
}

async function openCursor<R>(
  pool: pg.Pool,
  outage: OutageTracker,
  statement: Sql,
  onClose: () => void,
): Promise<RowCursor<R>> {
  const { text, params } = statement.render();
  assertTenantScoped(text);
  const client = await pool.connect();
  // Cursors do not inherit the pool's type parsers.
  const cursor = client.query(new Cursor<R>(text, params, { types: typeOverrides }));
  let isOpen = true;
  const end = async (error?: Error) => {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(idle);
    await cursor.close().catch(() => undefined);
    client.release(error);
    onClose();
  };
  let idle: NodeJS.Timeout | undefined;
  return {
    async read(count) {
      clearTimeout(idle);
      if (!isOpen) throw new Error('the rows were not read in time');
      let pendingStop: Promise<void> | undefined;
      const timer = setTimeout(() => {
        pendingStop = cancelStatement(client);
      }, limits.sql.readTime);
      try {
        return await cursor.read(count);
      } catch (error) {
        await end(error as Error);
        throw outage.toCallerError(error as Error);
      } finally {
        clearTimeout(timer);
        // A late cancel request must not hit the next read.
        await pendingStop;
        if (isOpen) idle = setTimeout(end, MAX_CLIENT_PAUSE_MS);
      }
    },
    close: () => end(),
  };
}
