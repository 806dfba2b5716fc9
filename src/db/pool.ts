import pg from 'pg';
import type { Logger } from 'pino';
import { createCache } from '../cache.ts';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { createCursors, type RowCursor, types } from './cursor.ts';
import { createListener } from './listener.ts';
import { type Sql, sql } from './sql.ts';
import { tripwire } from './tripwire.ts';

/** A place to run SQL: the pool, or one transaction. Rows are plain objects keyed by column. */
export interface Db {
  rows<R = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  transaction<T>(fn: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `fn` once what was written here is committed; at once outside of a transaction. */
  afterCommit(fn: (database: Database) => void): void;
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
  /** Runs `fn` before the connections are closed. */
  onClose(fn: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Opens a pool of at most `size` connections on `url`; the session is UTC and statements are bounded in time. */
export function openDatabase(url: string, log: Logger, size = 20): Database {
  const pool = new BusyPool({
    connectionString: url,
    max: size,
    types,
    options:
      `-c TimeZone=UTC -c statement_timeout=${limits.sql.statementTime} ` +
      `-c idle_in_transaction_session_timeout=60000`,
    application_name: 'atrium',
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: limits.sql.preparedTime / 1000,
    connectionTimeoutMillis: limits.sql.connectTime,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // Between pool and caller a client briefly has no listener; an unhandled 'error' would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const listener = createListener(url, log);
  const ends: (() => Promise<void>)[] = [];
  const database: Database = {
    url,
    pool,
    rows: (statement) => run(pool, statement),
    transaction: (fn) => inTransaction(database, fn),
    afterCommit: (fn) => fn(database),
    cursor: createCursors(pool),
    listen: listener.listen,
    onListening: listener.onChange,
    notify: async (channel, payload) => {
      await run(pool, sql`select pg_notify(${channel}, ${payload})`);
    },
    ping: async () => {
      await run(pool, sql`select 1`);
    },
    onClose: (fn) => {
      ends.push(fn);
    },
    close: async () => {
      for (const end of ends.splice(0)) await end();
      await listener.close();
      await pool.end();
    },
  };
  return database;
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** A pool whose callers learn that no connection came free in time as what it is, whichever door they came by. */
class BusyPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return super.connect().catch((error) => {
        throw asBusy(error);
      });
    super.connect((error, client, done) => callback(error && asBusy(error), client, done));
    return undefined;
  }
}

/** The pool says it in words alone. */
const asBusy = (error: Error): Error =>
  error.message === 'timeout exceeded when trying to connect'
    ? errors.busy('The server has too much to do at the moment; try again.')
    : error;

async function run<R>(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<R[]> {
  const { text, params } = statement.render();
  const query = new pg.Query(text, params) as NamedQuery;
  query.name = nameOf(text);
  try {
    return (await answerTo<R>(client as unknown as Runner, query)).rows;
  } catch (error) {
    // With the stack of who asked, in place of the socket's.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

/** The driver copies a query with a name property by property, unless it is made already (measured). */
type NamedQuery = pg.Query & { name: string | undefined };

/** How the driver takes a query that is made already, which its declarations lack. */
interface Runner {
  query(query: NamedQuery, values: undefined, done: (error: unknown, result: unknown) => void): void;
}

const answerTo = <R>(client: Runner, query: NamedQuery): Promise<{ rows: R[] }> =>
  new Promise((resolve, reject) => {
    client.query(query, undefined, (error, result) => {
      if (error) reject(error);
      else resolve(result as { rows: R[] });
    });
  });

async function inTransaction<T>(database: Database, fn: (db: Db) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  const hooks: ((database: Database) => void)[] = [];
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const db: Db = {
    rows: (statement) => run(client, statement),
    transaction: (inner) => inner(db),
    afterCommit: (hook) => {
      hooks.push(hook);
    },
  };
  try {
    await client.query('begin');
    const result = await fn(db);
    await client.query('commit');
    for (const hook of hooks) hook(database);
    return result;
  } catch (error) {
    await client.query('rollback').catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** What Postgres says when it undid something because of what others did at the same time. */
const RETRIED = new Set(['40001', '40P01', '55P03']);

/** As Postgres says it, for what we see ourselves. */
export const serializationFailure = (): Error =>
  Object.assign(new Error('changed meanwhile'), { code: '40001' });

/**
 * Runs `fn` again, after a moment, when Postgres undid it because of others; a few times. `fn` must leave no trace when
 * it fails.
 */
export async function persistent<T>(fn: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn();
    } catch (error) {
      if (attempt >= limits.sql.attempts || !mayBeRetried(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * limits.sql.attemptPause * attempt));
    }
  }
}

/** What was undone may have been put into words for the caller already; the words keep their cause. */
function mayBeRetried(error: unknown): boolean {
  const { code = '', cause } = error as { code?: string; cause?: unknown };
  return RETRIED.has(code) || (cause instanceof Error && mayBeRetried(cause));
}

/**
 * Names to prepare statements under; undefined to send one as it is. A statement that is met often is prepared:
 * Postgres then plans it a few times per connection, not per call. Those that differ each time stay unnamed, and so do
 * long ones, so that neither this process nor its connections fill up.
 * @param check run for a text unless it has passed before
 * @param now ms
 */
export function createNames(
  check: (text: string) => void,
  now: () => number = Date.now,
): (text: string) => string | undefined {
  // No cache: a name that is forgotten stays prepared in the connections, so names are forgotten together.
  const named = new Map<string, string>();
  // In the order of their last meeting, so that a passing text leaves before one that comes again.
  const met = createCache<string, number>({ entries: limits.sql.prepared });
  let since = now();
  let last = 0;

  function countOf(text: string): number {
    const before = met.get(text);
    if (before === undefined) check(text);
    const count = (before ?? 0) + 1;
    met.set(text, count);
    return count;
  }

  function hasRoom(): boolean {
    if (named.size < limits.sql.prepared) return true;
    if (now() - since < limits.sql.preparedTime) return false;
    named.clear();
    since = now();
    return true;
  }

  return (text) => {
    const known = named.get(text);
    if (known) return known;
    if (text.length > limits.sql.preparedLength) {
      check(text);
      return undefined;
    }
    if (countOf(text) < limits.sql.preparedAfter || !hasRoom()) return undefined;
    met.delete(text);
    // Never used twice: a connection may still have another statement under an old one.
    const name = `s${++last}`;
    named.set(text, name);
    return name;
  };
}

const nameOf = createNames(tripwire);
