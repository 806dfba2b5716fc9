import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { AppError, errors } from '../errors.ts';

/** What is said of a database that is away: BUSY to callers, a line in the log when it goes and when it is back. */
export interface Outage {
  /** The error to throw in place of `error`: BUSY where the database is away, else the error itself. */
  wordsOf(error: Error): Error;
  /** A connection has been made. */
  isOver(): void;
}

export function createOutage(log: Logger): Outage {
  let isAway = false;
  let said = 0;
  return {
    wordsOf(error) {
      if (!meansAway(error)) return error;
      if (!isAway && Date.now() - said > PAUSE) {
        log.error({ reason: error.message || codeOf(error) }, GONE);
        said = Date.now();
        isAway = true;
      }
      const words = errors.databaseAway();
      words.cause = error;
      return words;
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
