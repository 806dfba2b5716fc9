import pg from 'pg';
import type { Logger } from 'pino';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { createNodeGuard, createNodeMonitor, type NodeState } from './citus/nodes.ts';
import {
  type ConnectionLimiter,
  createConnectionLimiter,
  type Requester,
  withSlot,
} from './connection-limiter.ts';
import { createCursorOpener, createCursorTurns, typeOverrides } from './cursor.ts';
import { type Db, type RootDb, readValue } from './db.ts';
import { createIdAllocator } from './id-allocator.ts';
import {
  buildCommitSql,
  createInvalidationTracker,
  type Invalidation,
  type InvalidationTracker,
} from './notifications/cache-invalidation.ts';
import { createListener } from './notifications/listener.ts';
import {
  createOutageError,
  createOutageTracker,
  isDatabaseRejection,
  isRolledBack,
  type OutageTracker,
} from './outage.ts';
import { createRequestDb, type RequestDb, type RequestDbSource } from './request-db.ts';
import { createResponseMemory } from './response-memory.ts';
import { sessionSettings } from './session.ts';
import { createSharedReads } from './shared-reads.ts';
import { type Sql, sql } from './sql.ts';
import { createStatementNames, PREPARED_TTL_MS } from './statement-names.ts';
import {
  createStatementRunner,
  isStalePlanError,
  type StatementRunner,
  UNPREPARED_CODES,
} from './statement-runner.ts';
import {
  clearStoppable,
  createClientGoneError,
  makeStoppable,
  releaseConnection,
  runOnConnection,
  type StoppableWork,
} from './stoppable.ts';
import { createTableAnalyzer } from './table-analyzer.ts';
import { createTemporaryFileLimiter } from './temporary-files.ts';
import { createTransactionRunner } from './transaction-runner.ts';
import { assertTenantScoped } from './tripwire.ts';

/** Connections per process for reserving ids, in addition to its pool. */
const ID_CONNECTIONS = 3;
/** Timeout for reserving ids, which usually takes less than a millisecond. */
const ID_STATEMENT_TIMEOUT_MS = 5_000;

/** Milliseconds between checks that notifications are still arriving. After two failed checks, nothing is cached. */
const ECHO_INTERVAL_MS = 5_000;
/** Maximum number of attempts to run a transaction that PostgreSQL aborts because of concurrent ones. */
export const MAX_TRANSACTION_ATTEMPTS = 6;
/** Maximum pause after the first attempt. The maximum grows by this amount with each attempt. */
const RETRY_PAUSE_MS = 20;

export interface Database extends RootDb {
  rows<R = Record<string, unknown>>(statement: Sql, stoppable?: StoppableWork): Promise<R[]>;
  transaction<T>(fn: (db: Db) => Promise<T>, stoppable?: StoppableWork): Promise<T>;
  processName: string;
  directUrl: string;
  pool: pg.Pool;
  invalidations: InvalidationTracker;
  /** Returns the database for one request, within the connection limits of its workspace and user. */
  forRequest(workspace: number, requester?: Requester): RequestDb;
  /** Returns the user who is likely to get a connection first. */
  chooseUser(workspace: number, users: readonly number[]): number;
  /** Calls `run`, which uses a pooled connection, in one of the workspace's connection slots. */
  withSlot<T>(workspace: number, run: () => Promise<T>): Promise<T>;
  listen(channel: string, handler: (payload: string) => void): Promise<void>;
  /** Calls `handler` with true when notifications arrive again, and with false when they stop arriving. */
  onListening(handler: (up: boolean) => void): void;
  hears(): boolean;
  waiting(): number;
  /** Rejects if the database does not respond. */
  ping(): Promise<void>;
  /** Returns the state of each database node. Rejects if the database does not respond. */
  nodes(): Promise<readonly NodeState[]>;
  /** Updates the planner's statistics if many rows of a table have been committed. Returns immediately. */
  recordInserts(table: string, count: number): void;
  close(): Promise<void>;
}

interface DatabaseOptions {
  size?: number;
  /** URL that bypasses the pooler, for listening. Defaults to `url`. */
  directUrl?: string;
  prepared?: boolean;
  /** Milliseconds between checks that notifications are still arriving. */
  echoPause?: number;
}

export function openDatabase(url: string, log: Logger, options: DatabaseOptions = {}): Database {
  const { size = 20, directUrl = url, prepared = true, echoPause = ECHO_INTERVAL_MS } = options;
  const invalidations = createInvalidationTracker();
  const outage = createOutageTracker(log, invalidations.isSpread);
  const pool = openPool(url, log, outage, size);
  // Uses separate connections, because a caller that waits for an id may hold a pooled connection, or even a pooler's
  // last one.
  const idPool = openPool(directUrl, log, outage, ID_CONNECTIONS, ID_CONNECTION_SETTINGS);
  const names = createStatementNames(assertTenantScoped);
  if (!prepared) names.stop();
  const run = createStatementRunner(names, log, outage);
  const nodes = createNodeMonitor((statement) => database.rows(statement));
  const drawRows = createIdQuery(idPool, run, outage);
  const assertNodeUp = createNodeGuard(drawRows, nodes);
  const idAllocator = createIdAllocator({ rows: drawRows }, async (workspaceId) => {
    if (invalidations.isSpread()) await assertNodeUp(workspaceId);
  });
  const notify = async (channel: string, payload: string) => {
    await run.one(pool, sql`select pg_notify(${channel}, ${payload})`);
  };
  const listener = createListener(directUrl, log, notify, echoPause);
  const limiter = createConnectionLimiter(size);
  const closeHooks: (() => Promise<void>)[] = [];
  const database: Database = {
    processName: listener.name,
    directUrl,
    pool,
    invalidations,
    rows: (statement, stoppable) => {
      if (invalidations.getInvalidation(statement.render()))
        return runWithAnnouncement(database, statement, stoppable);
      return stoppable
        ? runOnConnection(pool, stoppable, (client) => run.one(client, statement, true))
        : run.one(pool, statement, true);
    },
    value: readValue,
    transaction: (fn, stoppable) => runTransaction({ database, run, outage }, fn, stoppable),
    finish: () => undefined,
    isTransaction: false,
    afterCommit: (fn) => fn(database),
    trackResponse: () => undefined,
    idAllocator,
    forRequest: (workspace, requester = { user: 0 }) => createRequestDb(source, workspace, requester),
    chooseUser: limiter.chooseUser,
    withSlot: (workspace, run) => withSlot(limiter, limiter.acquire(workspace), run),
    listen: listener.listen,
    onListening: listener.onChange,
    hears: listener.isReceiving,
    waiting: limiter.waiting,
    notify,
    ping: async () => {
      await run.one(pool, sql`select 1`);
    },
    nodes,
    recordInserts: createTableAnalyzer(pool, log),
    onClose: (fn) => {
      closeHooks.push(fn);
    },
    close: async () => {
      for (const end of closeHooks.splice(0)) await end();
      await listener.close();
      await Promise.all([pool.end(), idPool.end()]);
    },
  };
  const source = createRequestDbSource(database, limiter, outage);
  return database;
}

function createRequestDbSource(
  database: Database,
  limiter: ConnectionLimiter,
  outage: OutageTracker,
): RequestDbSource {
  return {
    limiter,
    responses: createResponseMemory(),
    idAllocator: database.idAllocator,
    rows: (statement, stoppable) => database.rows(statement, stoppable),
    sharedRows: createSharedReads(limiter, (statement, runningSlot) => database.rows(statement, runningSlot)),
    transaction: (fn, stoppable) => database.transaction(fn, stoppable),
    afterCommit: (fn) => fn(database),
    cursor: createCursorOpener(database.pool, outage),
    cursorTurns: createCursorTurns(),
  };
}

function openPool(
  url: string,
  log: Logger,
  outage: OutageTracker,
  size: number,
  settings = sessionSettings,
): pg.Pool {
  const boundTemporaryFiles = createTemporaryFileLimiter(log);
  const pool = new BusyReportingPool(outage, {
    connectionString: url,
    max: size,
    types: typeOverrides,
    onConnect: async (client) => {
      await client.query(buildSetStatements(settings));
      await boundTemporaryFiles(client);
    },
    application_name: 'atrium',
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: PREPARED_TTL_MS / 1000,
    connectionTimeoutMillis: limits.sql.connectTime,
  });
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection was lost'));
  // While a client is not in use, it has no listener, and an unhandled 'error' event would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    outage.recordConnected();
  });
  return pool;
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  onDone: () => void,
) => void;

/** A pool that reports a failed connection attempt as BUSY or as an outage, to both promises and callbacks. */
class BusyReportingPool extends pg.Pool {
  private readonly outage: OutageTracker;
  constructor(outage: OutageTracker, options: pg.PoolConfig) {
    super(options);
    this.outage = outage;
  }
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return super.connect().catch((error) => {
        throw toBusyError(this.outage, error);
      });
    super.connect((error, client, release) =>
      callback(error && toBusyError(this.outage, error), client, release),
    );
    return undefined;
  }
  /**
   * Converts errors for Prisma, which would hide the driver's error. Statement runners pass a callback and convert
   * errors themselves.
   */
  override query = (...args: unknown[]): never => {
    const result = super.query(...(args as [string])) as Promise<pg.QueryResult> | undefined;
    return result?.catch((error) => {
      throw this.outage.toCallerError(error);
    }) as never;
  };
}

/** The pool's timeout error has no code. */
const toBusyError = (outage: OutageTracker, error: Error): Error =>
  error.message === 'timeout exceeded when trying to connect'
    ? errors.busy('The server has too many requests in progress. Try again in a moment.')
    : outage.toCallerError(error);

/**
 * Builds `set` statements, because poolers reject startup options. In transaction mode, PgBouncer keeps the time zone,
 * and the role's defaults provide the other settings (`session.ts`).
 */
const buildSetStatements = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} to '${value}'`)
    .join(';');

/**
 * Disables generic plans, because a plan made while a table was empty would always scan the whole table. The timeout
 * prevents an unresponsive database node from occupying the connections for long.
 */
const ID_CONNECTION_SETTINGS = {
  ...sessionSettings,
  plan_cache_mode: 'force_custom_plan',
  statement_timeout: String(ID_STATEMENT_TIMEOUT_MS),
};

const QUERY_CANCELED = '57014';

/** If a response is lost, the reserved ids are never used, so the caller can safely retry. */
const createIdQuery =
  (idPool: pg.Pool, run: StatementRunner, outage: OutageTracker): Db['rows'] =>
  (statement) =>
    run.one<never>(idPool, statement, true).catch((error) => {
      throw error.code === QUERY_CANCELED ? createOutageError(error.message) : outage.toCallerError(error);
    });

const runWithAnnouncement = <R>(
  database: Database,
  statement: Sql,
  stoppable?: StoppableWork,
): Promise<R[]> => runWithRetries(() => database.transaction((tx) => tx.rows<R>(statement), stoppable));

interface OpenedDatabase {
  database: Database;
  run: StatementRunner;
  outage: OutageTracker;
}

async function runTransaction<T>(
  { database, run, outage }: OpenedDatabase,
  fn: (db: Db) => Promise<T>,
  stoppable: StoppableWork = { isStopped: false },
): Promise<T> {
  const client = await database.pool.connect();
  const hooks: ((root: RootDb) => void)[] = [];
  const announcedInvalidations: Invalidation[] = [];
  // If the response to a commit is lost, the commit may have succeeded. If it did not, the hooks do no harm.
  const reportCommit = () => {
    for (const hook of hooks.splice(0)) hook(database);
  };
  const commit = async () => {
    try {
      await client.query(buildCommitSql(announcedInvalidations));
    } catch (error) {
      if (!isDatabaseRejection(error) && !isRolledBack(error)) reportCommit();
      throw outage.toCommitError(error as Error);
    }
    reportCommit();
  };
  makeStoppable(stoppable, client);
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const turns = createTransactionRunner(client, run, () => buildCommitSql(announcedInvalidations));
  const db: Db = {
    rows: (statement) => {
      if (stoppable.isStopped) return Promise.reject(createClientGoneError());
      const each = database.invalidations.getInvalidation(statement.render());
      if (each) announcedInvalidations.push(each);
      return turns.rows(statement);
    },
    value: readValue,
    transaction: (inner) => inner({ ...db, finish: () => undefined }),
    finish: turns.finish,
    isTransaction: true,
    afterCommit: (hook) => {
      hooks.push(hook);
    },
    trackResponse: () => undefined,
    idAllocator: database.idAllocator,
  };
  try {
    const result = await fn(db);
    clearStoppable(stoppable);
    if (turns.hasBegun() && !turns.hasFinished()) await commit();
    else if (turns.mayBeCommitted()) reportCommit();
    return result;
  } catch (error) {
    if (turns.mayBeCommitted()) reportCommit();
    if (turns.hasBegun()) await client.query('rollback').catch(onError);
    throw error;
  } finally {
    client.off('error', onError);
    stoppable.stop = undefined;
    if (stoppable.stopping && !broken) releaseConnection(client, stoppable.stopping);
    else client.release(broken);
  }
}

/** Codes of conflicts with concurrent transactions, and of prepared statements that a pooler has lost. */
const RETRYABLE_CODES = new Set(['40001', '40P01', '55P03', ...UNPREPARED_CODES]);

/** Returns PostgreSQL's serialization failure, for conflicts that Atrium detects. */
export const createSerializationFailure = (): Error =>
  Object.assign(new Error('the data was changed concurrently'), { code: '40001' });

/**
 * Retries `fn` after a delay if PostgreSQL rolled it back because of a conflict. `fn` must have no effects if it fails.
 */
export async function runWithRetries<T>(fn: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn();
    } catch (error) {
      if (attempt >= MAX_TRANSACTION_ATTEMPTS || !isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * RETRY_PAUSE_MS * attempt));
    }
  }
}

/** The error may already be converted for the caller, with the original error as its cause. */
function isRetryable(error: unknown): boolean {
  const { code = '', cause } = error as { code?: string; cause?: unknown };
  return (
    RETRYABLE_CODES.has(code) || isStalePlanError(error) || (cause instanceof Error && isRetryable(cause))
  );
}
