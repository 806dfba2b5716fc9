import pg from 'pg';
import type { Logger } from 'pino';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { tracing } from '../trace.ts';
import { createAnswers } from './answers.ts';
import { createCursors, types } from './cursor.ts';
import type { Db, RootDb } from './db.ts';
import { type AnswerSocket, createGate } from './gate.ts';
import { createListener } from './listener.ts';
import { type Announcement, commitOf, createNews, type News } from './news.ts';
import { createNumbers } from './numbers.ts';
import { createOutage, type Outage } from './outage.ts';
import { createRequestDb, inPlace, type RequestDb, type RequestSource } from './request-db.ts';
import { sessionSettings } from './session.ts';
import { isChange, type Sql, sql } from './sql.ts';
import { createNames, type StatementNames } from './statement-names.ts';
import { gone, handBack, onConnection, type Stoppable, stoppable, unstoppable } from './stoppable.ts';
import { temporaryFiles } from './temporary-files.ts';
import { tripwire } from './tripwire.ts';

export interface Database extends RootDb {
  /** With `running` it can be stopped. */
  rows<R = Record<string, unknown>>(statement: Sql, running?: Stoppable): Promise<R[]>;
  transaction<T>(fn: (db: Db) => Promise<T>, running?: Stoppable): Promise<T>;
  /** Where to find it without a pooler. */
  directUrl: string;
  pool: pg.Pool;
  /** What other processes have to hear of statements. */
  news: News;
  /** The database for one request of a workspace, within its share of the connections. */
  forRequest(workspace: number, outgoing?: AnswerSocket): RequestDb;
  /** Runs `work`, which uses a connection of the pool, in a place of the workspace. */
  inPlace<T>(workspace: number, work: () => Promise<T>): Promise<T>;
  /** Calls `handler` for each notification on `channel`, now and after every reconnect. */
  listen(channel: string, handler: (payload: string) => void): Promise<void>;
  /** Called when notifications are known to arrive (true), and when they no longer do (false). */
  onListening(handler: (up: boolean) => void): void;
  /** Whether notifications are known to arrive. */
  hears(): boolean;
  /** Requests that wait for their workspace's share of the connections. */
  waiting(): number;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connections at most. */
  size?: number;
  /** An address without a pooler, to listen at; without one, `url`. */
  directUrl?: string;
  /** Whether statements are prepared. */
  prepared?: boolean;
  /** Milliseconds between two proofs that notifications arrive. */
  echoPause?: number;
}

/** Opens a pool of connections on `url`; the session is UTC and statements are bounded in time. */
export function openDatabase(url: string, log: Logger, options: DatabaseOptions = {}): Database {
  const { size = 20, directUrl = url, prepared = true, echoPause = limits.sql.echoPause } = options;
  const outage = createOutage(log);
  const pool = openPool(url, log, outage, size);
  // Who waits for a number may hold a connection of the pool, and all of those that a pooler has.
  const aside = openPool(directUrl, log, outage, 1, ASIDE);
  const names = createNames(tripwire);
  if (!prepared) names.stop();
  const run = createRun(names, log, outage);
  const numbers = createNumbers({ rows: (statement) => run(aside, statement, true) });
  const notify = async (channel: string, payload: string) => {
    await run(pool, sql`select pg_notify(${channel}, ${payload})`);
  };
  const listener = createListener(directUrl, log, notify, echoPause);
  const gate = createGate(size);
  const news = createNews();
  const ends: (() => Promise<void>)[] = [];
  const source: RequestSource = {
    gate,
    answers: createAnswers(),
    numbers,
    rows: (statement, running) => database.rows(statement, running),
    transaction: (fn, running) => database.transaction(fn, running),
    afterCommit: (fn) => fn(database),
    cursor: createCursors(pool),
  };
  const database: Database = {
    directUrl,
    pool,
    news,
    rows: (statement, running) => {
      if (news.of(statement.render())) return announcedAlone(database, statement, running);
      return running
        ? onConnection(pool, running, (client) => run(client, statement, true))
        : run(pool, statement, true);
    },
    transaction: (fn, running) => inTransaction(database, run, outage, fn, running),
    afterCommit: (fn) => fn(database),
    keep: () => undefined,
    numbers,
    forRequest: (workspace, outgoing) => createRequestDb(source, workspace, outgoing),
    inPlace: (workspace, work) => inPlace(gate, gate.enter(workspace), work),
    listen: listener.listen,
    onListening: listener.onChange,
    hears: listener.hears,
    waiting: gate.waiting,
    notify,
    ping: async () => {
      await run(pool, sql`select 1`);
    },
    onClose: (fn) => {
      ends.push(fn);
    },
    close: async () => {
      for (const end of ends.splice(0)) await end();
      await listener.close();
      await Promise.all([pool.end(), aside.end()]);
    },
  };
  return database;
}

function openPool(
  url: string,
  log: Logger,
  outage: Outage,
  size: number,
  settings = sessionSettings,
): pg.Pool {
  const boundTemporaryFiles = temporaryFiles(log);
  const pool = new BusyPool(outage, {
    connectionString: url,
    max: size,
    types,
    onConnect: async (client) => {
      await client.query(setting(settings));
      await boundTemporaryFiles(client);
    },
    application_name: 'atrium',
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: limits.sql.preparedTime / 1000,
    connectionTimeoutMillis: limits.sql.connectTime,
  });
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection was lost'));
  // Between pool and caller a client briefly has no listener; an unhandled 'error' would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    outage.isOver();
  });
  return pool;
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** A pool whose callers learn why there is no connection for them as what it is, whichever door they came by. */
class BusyPool extends pg.Pool {
  private readonly outage: Outage;
  constructor(outage: Outage, options: pg.PoolConfig) {
    super(options);
    this.outage = outage;
  }
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return super.connect().catch((error) => {
        throw asBusy(this.outage, error);
      });
    super.connect((error, client, done) => callback(error && asBusy(this.outage, error), client, done));
    return undefined;
  }
}

/** That none came free in time the pool says in words alone. */
const asBusy = (outage: Outage, error: Error): Error =>
  error.message === 'timeout exceeded when trying to connect'
    ? errors.busy('The server has too much to do at the moment; try again.')
    : outage.wordsOf(error);

/** `alone`: the statement is no part of a transaction. */
type Run = <R>(client: pg.Pool | pg.PoolClient, statement: Sql, alone?: boolean) => Promise<R[]>;

/** Runs statements under their names, until a pooler shows that it does not know what has been prepared. */
function createRun(names: StatementNames, log: Logger, outage: Outage): Run {
  return async <R>(client: pg.Pool | pg.PoolClient, statement: Sql, alone = false): Promise<R[]> => {
    const { text, params } = statement.render();
    const query = new pg.Query(text, params) as NamedQuery;
    query.name = names.of(text);
    const traced = tracing.now?.begin({ name: `SQL ${verbOf(text)}`, facts: factsOf(text) });
    try {
      const { rows } = await answerTo<R>(client as unknown as Runner, query);
      traced?.();
      return rows;
    } catch (error) {
      traced?.(error);
      const isUnprepared = UNPREPARED.has((error as pg.DatabaseError).code ?? '');
      if (query.name && (isUnprepared || isStale(error))) {
        if (isUnprepared) {
          names.stop();
          log.warn({ err: error }, POOLER);
        } else names.renew();
        // Nothing has run. A transaction is over; alone, the statement can go again.
        if (alone) {
          const again = new pg.Query(text, params) as NamedQuery;
          return (await answerTo<R>(client as unknown as Runner, again)).rows;
        }
      }
      // With the stack of who asked, in place of the socket's.
      Error.captureStackTrace(error as Error);
      // A change that is its own transaction may have been made, although its answer is lost.
      throw alone && isChange(statement) ? error : outage.wordsOf(error as Error);
    }
  };
}

/** The word that a statement begins with. */
const verbOf = (text: string): string => /\w+/.exec(text)?.[0].toLowerCase() ?? '';

/** Its text holds no values, which are parameters. */
const factsOf = (text: string) => ({ 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 2_000) });

/** A prepared statement does not exist, or exists although this connection has not prepared it. */
const UNPREPARED = new Set(['26000', '42P05']);

/** A migration of a newer version, which runs beside this one, has given a column another type. */
const isStale = (error: unknown): boolean =>
  (error as pg.DatabaseError).code === '0A000' &&
  (error as Error).message === 'cached plan must not change result type';

const POOLER =
  'the pooler of DATABASE_URL does not support prepared statements; they are off until the next start. ' +
  'Set DATABASE_PREPARED_STATEMENTS=off';

/**
 * Not as options of the start, which poolers refuse. Behind a pooler that gives connections by transaction, PgBouncer
 * keeps the time zone, and `settleDefaults` the rest.
 */
const setting = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} to '${value}'`)
    .join(';');

/** Of the connection that draws ids: a plan made while a table was empty would read all its rows for each draw. */
const ASIDE = { ...sessionSettings, plan_cache_mode: 'force_custom_plan' };

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

/** A statement that others hear of: with it, or not at all. */
const announcedAlone = <R>(database: Database, statement: Sql, running?: Stoppable): Promise<R[]> =>
  persistent(() => database.transaction((tx) => tx.rows<R>(statement), running));

async function inTransaction<T>(
  database: Database,
  run: Run,
  outage: Outage,
  fn: (db: Db) => Promise<T>,
  running: Stoppable = { isStopped: false },
): Promise<T> {
  const client = await database.pool.connect();
  const hooks: ((root: RootDb) => void)[] = [];
  const announced: Announcement[] = [];
  stoppable(running, client);
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const db: Db = {
    rows: (statement) => {
      if (running.isStopped) return Promise.reject(gone());
      const each = database.news.of(statement.render());
      if (each) announced.push(each);
      return run(client, statement);
    },
    transaction: (inner) => inner(db),
    afterCommit: (hook) => {
      hooks.push(hook);
    },
    keep: () => undefined,
    numbers: database.numbers,
  };
  try {
    await client.query('begin').catch((error) => {
      throw outage.wordsOf(error);
    });
    const result = await fn(db);
    unstoppable(running);
    // Where its answer is lost it may have been made all the same; what follows does no harm if it was not.
    await client.query(commitOf(announced)).finally(() => {
      for (const hook of hooks) hook(database);
    });
    return result;
  } catch (error) {
    await client.query('rollback').catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    running.stop = undefined;
    if (running.stopping && !broken) handBack(client, running.stopping);
    else client.release(broken);
  }
}

/** What Postgres says when it undid something because of what others did at the same time, or a pooler between. */
const RETRIED = new Set(['40001', '40P01', '55P03', ...UNPREPARED]);

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
  return RETRIED.has(code) || isStale(error) || (cause instanceof Error && mayBeRetried(cause));
}
