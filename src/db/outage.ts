import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { AppError, errors } from '../errors.ts';

/** What is said of a database that is away: BUSY to callers, a line in the log when it goes and when it is back. */
export interface OutageTracker {
  /** The error to throw in place of `error`: BUSY where the database is away, else the error itself. */
  toCallerError(error: Error): Error;
  /**
   * The same for a commit, and for a change that is its own transaction: where it may have been made although its
   * answer is lost, the error itself, because its caller must not be asked to repeat it.
   */
  toCommitError(error: Error): Error;
  /** A connection has been made. */
  recordConnected(): void;
}

/** @param isSpread whether Citus has spread the tables over nodes */
export function createOutageTracker(log: Logger, isSpread: () => boolean): OutageTracker {
  let isAway = false;
  let said = 0;
  const wordsOf = (error: Error): Error => {
    if (!isConnectionFailure(error)) return error;
    if (!isAway && Date.now() - said > LOG_INTERVAL_MS) {
      log.error({ reason: error.message || getCode(error) }, UNREACHABLE_MESSAGE);
      said = Date.now();
      isAway = true;
    }
    const words = errors.databaseAway();
    words.cause = error;
    return words;
  };
  return {
    toCallerError: wordsOf,
    toCommitError(error) {
      const words = wordsOf(error);
      return isRolledBack(error) && !(isSpread() && isCoordinatorError(error)) ? words : error;
    },
    recordConnected() {
      if (isAway) log.warn('the database can be reached again');
      isAway = false;
    },
  };
}

/** A server that is full lets some in. */
const LOG_INTERVAL_MS = 10_000;

const UNREACHABLE_MESSAGE =
  'the database cannot be reached; until it can, requests that need it are answered with BUSY';

/** Whether the error is what callers get of a database that is away. */
export const isOutage = (error: unknown): error is AppError =>
  error instanceof AppError && error.cause instanceof Error && isConnectionFailure(error.cause);

/** Whether the database itself has refused what it was sent: then none of it stays. False where its answer was lost. */
export const isDatabaseRejection = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !isConnectionFailure(error);

/** Whether a change that failed while the database is away left nothing: it was not sent, or ended before a commit. */
export function isRolledBack(error: unknown): boolean {
  const { cause } = error as Error;
  if (error instanceof AppError) return isRolledBack(cause ?? {});
  return ROLLED_BACK_CODES.has(getCode(error as Error)) || UNSENT_MESSAGES.test((error as Error).message);
}

const getCode = (error: Error): string => (error as { code?: string }).code ?? '';

/** Refused or cut connections, servers that start, stop or are full (PostgreSQL, "Error Codes"). Pure. */
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
 * A node commits a statement of its own although the session at the coordinator ends meanwhile. What a node says has
 * that as its context.
 */
const isCoordinatorError = (error: Error): boolean =>
  getCode(error) === '57P01' && !(error as pg.DatabaseError).where?.includes('while executing command on ');

/**
 * Codes of an orderly shutdown, which waits for a commit that has begun, and of servers that accept no connection. A
 * backend that crashes (57P02) and a connection that is cut (08006) may have committed.
 */
const ROLLED_BACK_CODES = new Set(['57P01', '57P03', '53300', '08001', '08004', 'ECONNREFUSED']);

/** Of the driver, and of Citus and libpq that could not connect to a node. Both give a lost answer the same code. */
const UNSENT_MESSAGES = new RegExp(
  'connection error and is not queryable$|: connection to server (?:at|on) |could not translate host name' +
    '|^could not establish any connections to the node ',
);

/** What the driver says without a code. */
const CONNECTION_MESSAGES = /^Connection terminated|^timeout expired$|connection error and is not queryable$/;

const ignoreError = (): void => undefined;

/**
 * A connection for a library that keeps its own: one that is lost while it holds it and asks nothing of it would end
 * the process as an error that no one hears.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', ignoreError);
  }
}

/**
 * The job queue takes all listeners from the connection it listens on when it gives it up, and then asks for its end:
 * what the server says until then would end the process as well.
 */
pg.Client.prototype.removeAllListeners = function removeAllListeners(this: pg.Client, ...events) {
  EventEmitter.prototype.removeAllListeners.apply(this, events);
  return this.on('error', ignoreError);
};
