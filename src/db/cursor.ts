import pg from 'pg';
import Cursor from 'pg-cursor';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { WaitingClient } from './connection-limiter.ts';
import { createOutageError, type OutageTracker } from './outage.ts';
import type { Sql } from './sql.ts';
import { cancelStatement } from './stoppable.ts';
import { assertTenantScoped } from './tripwire.ts';

/** Maximum concurrent streamed responses per process. Each one holds a connection. */
export const MAX_STREAMED_RESPONSES = 5;
/** Maximum concurrent cursors per user and process. */
export const MAX_CURSORS_PER_USER = 2;
/** Maximum requests per user and process that wait for the user's other cursors. */
const MAX_WAITING_FOR_CURSOR = 100;
/** Maximum milliseconds that a request waits for its user's other cursors. */
const MAX_CURSOR_WAIT_MS = 30_000;
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
  // The driver's cursor waits forever for some responses of a lost connection.
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => undefined);
  const rejectLost = () => reject(createOutageError('the connection of a cursor was lost'));
  client.once('end', rejectLost);
  let isOpen = true;
  const end = async (error?: Error) => {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(idle);
    // An error closes the connection anyway.
    if (!error) await Promise.race([cursor.close(), lost]).catch(() => undefined);
    client.off('end', rejectLost);
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
        return await Promise.race([cursor.read(count), lost]);
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

/**
 * Waits until the user has fewer than `MAX_CURSORS_PER_USER` cursors. Returns a function that ends the turn.
 * @throws BUSY if none of the user's turns ends in time, or the client has disconnected
 */
export type CursorTurns = (user: string, client: WaitingClient | undefined) => Promise<() => void>;

interface UserTurns {
  taken: number;
  waiting: Set<() => void>;
}

export function createCursorTurns(): CursorTurns {
  const turnsByUser = new Map<string, UserTurns>();

  function endTurn(user: string, turns: UserTurns): void {
    const [next] = turns.waiting;
    if (next) next();
    else if (--turns.taken === 0) turnsByUser.delete(user);
  }

  return async (user, client) => {
    const turns = turnsByUser.get(user) ?? { taken: 0, waiting: new Set() };
    turnsByUser.set(user, turns);
    if (turns.taken < MAX_CURSORS_PER_USER) turns.taken++;
    else await waitForTurn(turns);
    if (client?.destroyed) {
      endTurn(user, turns);
      throw createTooManyCursorsError();
    }
    return () => endTurn(user, turns);
  };
}

function waitForTurn({ waiting }: UserTurns): Promise<void> {
  if (waiting.size >= MAX_WAITING_FOR_CURSOR) throw createTooManyCursorsError();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(start);
      reject(createTooManyCursorsError());
    }, MAX_CURSOR_WAIT_MS);
    const start = () => {
      clearTimeout(timer);
      waiting.delete(start);
      resolve();
    };
    waiting.add(start);
  });
}

const createTooManyCursorsError = () =>
  errors.busy('You have too many large reads in progress. Try again in a moment.');
