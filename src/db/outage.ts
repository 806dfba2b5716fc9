import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { AppError, errors } from '../errors.ts';

/** What is said of a database that is away: BUSY to callers, a line in the log when it goes and when it is back. */
export interface Outage {
  /** The error to throw in place of `error`: BUSY where the database is away, else the error itself. */
  wordsOf(error: Error): Error;
  /**
   * The same for a commit, and for a change that is its own transaction: where it may have been made although its
   * answer is lost, the error itself, because its caller must not be asked to repeat it.
   */
  wordsOfCommit(error: Error): Error;
  /** A connection has been made. */
  isOver(): void;
}

/** @param isSpread whether Citus has spread the tables over nodes */
export function createOutage(log: Logger, isSpread: () => boolean): Outage {
  let isAway = false;
  let said = 0;
  const wordsOf = (error: Error): Error => {
    if (!meansAway(error)) return error;
    if (!isAway && Date.now() - said > PAUSE) {
      log.error({ reason: error.message || codeOf(error) }, GONE);
      said = Date.now();
      isAway = true;
    }
    const words = errors.databaseAway();
    words.cause = error;
    return words;
  };
  return {
    wordsOf,
    wordsOfCommit(error) {
      const words = wordsOf(error);
      return isUndone(error) && !(isSpread() && isOfCoordinator(error)) ? words : error;
    },
    isOver() {
      if (isAway) log.warn('the database can be reached again');
      isAway = false;
    },
  };
}

/** A server that is full lets some in. */
const PAUSE = 10_000;

const GONE = 'the database cannot be reached; until it can, requests that need it are answered with BUSY';

/** Whether the error is what callers get of a database that is away. */
export const isOutage = (error: unknown): error is AppError =>
  error instanceof AppError && error.cause instanceof Error && meansAway(error.cause);

/** Whether the database itself has refused what it was sent: then none of it stays. False where its answer was lost. */
export const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && !meansAway(error);

/** Whether a change that failed while the database is away left nothing: it was not sent, or ended before a commit. */
export function isUndone(error: unknown): boolean {
  const { cause } = error as Error;
  if (error instanceof AppError) return isUndone(cause ?? {});
  return UNDONE.has(codeOf(error as Error)) || UNSENT.test((error as Error).message);
}

const codeOf = (error: Error): string => (error as { code?: string }).code ?? '';

/** Refused or cut connections, servers that start, stop or are full (PostgreSQL, "Error Codes"). Pure. */
function meansAway(error: Error): boolean {
  return AWAY.test(codeOf(error)) || WORDS.test(error.message);
}

const AWAY = new RegExp(
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
const isOfCoordinator = (error: Error): boolean =>
  codeOf(error) === '57P01' && !(error as pg.DatabaseError).where?.includes('while executing command on ');

/**
 * Codes of an orderly shutdown, which waits for a commit that has begun, and of servers that accept no connection. A
 * backend that crashes (57P02) and a connection that is cut (08006) may have committed.
 */
const UNDONE = new Set(['57P01', '57P03', '53300', '08001', '08004', 'ECONNREFUSED']);

/** Of the driver, and of Citus and libpq that could not connect to a node. Both give a lost answer the same code. */
const UNSENT = new RegExp(
  'connection error and is not queryable$|: connection to server (?:at|on) |could not translate host name' +
    '|^could not establish any connections to the node ',
);

/** What the driver says without a code. */
const WORDS = /^Connection terminated|^timeout expired$|connection error and is not queryable$/;

const unheard = (): void => undefined;

/**
 * A connection for a library that keeps its own: one that is lost while it holds it and asks nothing of it would end
 * the process as an error that no one hears.
 */
export class HeardClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', unheard);
  }
}

/**
 * The job queue takes all listeners from the connection it listens on when it gives it up, and then asks for its end:
 * what the server says until then would end the process as well.
 */
pg.Client.prototype.removeAllListeners = function removeAllListeners(this: pg.Client, ...events) {
  EventEmitter.prototype.removeAllListeners.apply(this, events);
  return this.on('error', unheard);
};
