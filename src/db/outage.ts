import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { AppError, errors } from '../errors.ts';

export interface OutageTracker {
  toCallerError(error: Error): Error;
  /**
   * Like `toCallerError`, for a commit or a standalone write. Returns the error itself if the write may have been
   * committed, because the caller must not retry it.
   */
  toCommitError(error: Error): Error;
  recordConnected(): void;
}

export function createOutageTracker(log: Logger, isSpread: () => boolean): OutageTracker {
  let isAway = false;
  let lastLogged = 0;
  const toOutageError = (error: Error): Error => {
    if (!isConnectionFailure(error)) return error;
    if (!isAway && Date.now() - lastLogged > LOG_INTERVAL_MS) {
      log.error({ reason: error.message || getCode(error) }, UNREACHABLE_MESSAGE);
      lastLogged = Date.now();
      isAway = true;
    }
    return createOutageError(error);
  };
  return {
    toCallerError: toOutageError,
    toCommitError(error) {
      const message = toOutageError(error);
      return isRolledBack(error) && !(isSpread() && isCoordinatorError(error)) ? message : error;
    },
    recordConnected() {
      if (isAway) log.warn('the database is reachable again');
      isAway = false;
    },
  };
}

/** Minimum milliseconds between log lines, because a server without free connections still accepts some. */
const LOG_INTERVAL_MS = 10_000;

const UNREACHABLE_MESSAGE =
  'the database cannot be reached; until it can, requests that need it are answered with BUSY';

/** @param reason the driver's error, or a description if the server did not respond */
export function createOutageError(reason: Error | string): Error {
  const error = errors.databaseAway();
  error.cause = typeof reason === 'string' ? Object.assign(new Error(reason), { code: '08006' }) : reason;
  return error;
}

export const isOutage = (error: unknown): error is AppError =>
  error instanceof AppError && error.cause instanceof Error && isConnectionFailure(error.cause);

/** Returns true if the database rejected the statement, so that it had no effect. False if the response was lost. */
export const isDatabaseRejection = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !isConnectionFailure(error);

/**
 * Returns true if a write that failed during an outage had no effect: it was not sent, or the session ended before a
 * commit.
 */
export function isRolledBack(error: unknown): boolean {
  const { cause } = error as Error;
  if (error instanceof AppError) return isRolledBack(cause ?? {});
  return ROLLED_BACK_CODES.has(getCode(error as Error)) || UNSENT_MESSAGES.test((error as Error).message);
}

const getCode = (error: Error): string => (error as { code?: string }).code ?? '';

/**
 * Recognizes refused and broken connections, and servers that are starting, stopping or out of connections (PostgreSQL,
 * "Error Codes").
 */
function isConnectionFailure(error: Error): boolean {
  return UNREACHABLE_CODES.test(getCode(error)) || CONNECTION_MESSAGES.test(error.message);
}

const UNREACHABLE_CODES = new RegExp(
  `^(?:${[
    'ECONN(?:REFUSED|RESET)',
    'E(?:NOENT|NOTFOUND|AI_AGAIN|PIPE|TIMEDOUT)',
    'E(?:HOSTUNREACH|HOSTDOWN|NETUNREACH)',
    '53300|57P0[123]|08...',
  ].join('|')})$`,
);

/**
 * If the coordinator's session ends, a node may still commit a standalone statement. Errors from a node name it in
 * their context.
 */
const isCoordinatorError = (error: Error): boolean =>
  getCode(error) === '57P01' && !(error as pg.DatabaseError).where?.includes('while executing command on ');

/**
 * Error codes of an orderly shutdown, which waits for a commit in progress, and of servers that accept no connections.
 * After a backend crash (57P02) or a broken connection (08006), the write may have been committed.
 */
const ROLLED_BACK_CODES = new Set(['57P01', '57P03', '53300', '08001', '08004', 'ECONNREFUSED']);

/**
 * Messages of errors that occur before a write is sent: errors of the driver, and of Citus or libpq if they cannot
 * connect to a node. A lost response has the same error codes.
 */
const UNSENT_MESSAGES = new RegExp(
  'connection error and is not queryable$|: connection to server (?:at|on) |could not translate host name' +
    '|^could not establish any connections to the node |Is the server running on that host' +
    '|^failure on connection marked as essential',
);

/** Driver errors without a code, and Citus's error for a node's lost connection, after which nothing is committed. */
const CONNECTION_MESSAGES = new RegExp(
  '^Connection terminated|^timeout expired$|connection error and is not queryable$' +
    '|^failure on connection marked as essential',
);

const ignoreError = (): void => undefined;

/**
 * A client for libraries that manage their own connection. Without a listener, the 'error' event of a lost idle
 * connection would end the process.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', ignoreError);
  }
}

/**
 * The job queue removes all listeners from its listening connection before it ends the connection. An error in between
 * would end the process.
 */
pg.Client.prototype.removeAllListeners = function removeAllListeners(this: pg.Client, ...events) {
  EventEmitter.prototype.removeAllListeners.apply(this, events);
  return this.on('error', ignoreError);
};
