import pg from 'pg';
import Cursor from 'pg-cursor';
import type { Logger } from 'pino';
import { limits } from '../limits.ts';
import { createListener } from './listener.ts';
import { type Sql, sql } from './sql.ts';
import { nameOf, tripwire } from './statements.ts';

/** A place to run SQL: the pool, or one transaction. Rows are plain objects keyed by column. */
export interface Db {
  rows<R = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  transaction<T>(fn: (db: Db) => Promise<T>): Promise<T>;
}

/** The rows of one statement, some at a time. It holds a connection until it is closed. */
export interface RowCursor<R> {
  /** At most `count` rows; none at the end. */
  read(count: number): Promise<R[]>;
  close(): Promise<void>;
}

export interface Database extends Db {
  url: string;
  pool: pg.Pool;
  /** null when as many are open as may be: a slow reader must not keep connections from others. */
  cursor<R>(statement: Sql): Promise<RowCursor<R> | null>;
  /** Calls `handler` for each notification on `channel`, now and after every reconnect. */
  listen(channel: string, handler: (payload: string) => void): Promise<void>;
  /** Called when the listening connection is lost (false) and when it is back (true). */
  onListening(handler: (up: boolean) => void): void;
  notify(channel: string, payload: string): Promise<void>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

// Timestamps stay text: the engine writes and reads UTC in its own forms.
const types = new pg.TypeOverrides();
for (const oid of [1082, 1114, 1184]) types.setTypeParser(oid, (text: string) => text);
types.setTypeParser(20, (text: string) => Number(text));

/** Opens a pool of at most `size` connections on `url`; the session is UTC and statements are bounded in time. */
export function openDatabase(url: string, log: Logger, size = 20): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    options:
      `-c TimeZone=UTC -c statement_timeout=${limits.sql.statementTime} ` +
      `-c idle_in_transaction_session_timeout=60000`,
    application_name: 'atrium',
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: limits.sql.preparedTime / 1000,
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // Between pool and caller a client briefly has no listener; an unhandled 'error' would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const listener = createListener(url, log);
  return {
    url,
    pool,
    rows: (statement) => run(pool, statement),
    transaction: (fn) => inTransaction(pool, fn),
    cursor: createCursors(pool),
    listen: listener.listen,
    onListening: listener.onChange,
    notify: async (channel, payload) => {
      await run(pool, sql`select pg_notify(${channel}, ${payload})`);
    },
    ping: async () => {
      await run(pool, sql`select 1`);
    },
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

function createCursors(pool: pg.Pool): Database['cursor'] {
  let open = 0;
  return async <R>(statement: Sql): Promise<RowCursor<R> | null> => {
    if (open >= limits.http.cursors) return null;
    open++;
    return openCursor<R>(pool, statement, () => {
      open--;
    }).catch((error) => {
      open--;
      throw error;
    });
  };
}

async function openCursor<R>(pool: pg.Pool, statement: Sql, closed: () => void): Promise<RowCursor<R>> {
  const { text, params } = statement.render();
  tripwire(text);
  const client = await pool.connect();
  // The pool's type parsers are not the cursor's.
  const cursor = client.query(new Cursor<R>(text, params, { types }));
  let open = true;
  const end = async (error?: Error) => {
    if (!open) return;
    open = false;
    clearTimeout(idle);
    await cursor.close().catch(() => undefined);
    client.release(error);
    closed();
  };
  let idle: NodeJS.Timeout | undefined;
  return {
    async read(count) {
      clearTimeout(idle);
      if (!open) throw new Error('the rows were not read for too long');
      try {
        return await cursor.read(count);
      } catch (error) {
        await end(error as Error);
        throw error;
      } finally {
        if (open) idle = setTimeout(end, limits.http.cursorPause);
      }
    },
    close: () => end(),
  };
}

async function run<R>(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<R[]> {
  const { text, params } = statement.render();
  const result = await client.query({ text, values: params, name: nameOf(text) });
  return result.rows as R[];
}

async function inTransaction<T>(pool: pg.Pool, fn: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const db: Db = { rows: (statement) => run(client, statement), transaction: (inner) => inner(db) };
  try {
    await client.query('begin');
    const result = await fn(db);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
