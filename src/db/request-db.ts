import {
  type ConnectionLimiter,
  type ConnectionSlot,
  type Requester,
  withSlot,
} from './connection-limiter.ts';
import type { CursorOpener, CursorTurns, RowCursor } from './cursor.ts';
import { type Db, type IdAllocator, readValue } from './db.ts';
import type { ResponseMemory } from './response-memory.ts';
import type { SharedReads } from './shared-reads.ts';
import { mayChangeData, type Sql } from './sql.ts';
import type { StoppableWork } from './stoppable.ts';

/** Database access for one request. Its statements run one after another. */
export interface RequestDb extends Db {
  /** Returns the rows of a read-only statement, shared with concurrent callers (shared-reads.ts). */
  sharedRows<R>(statement: Sql): Promise<readonly R[]>;
  /**
   * Opens a cursor, after waiting for the user's other cursors. Returns null if none is available. The rows must then
   * be read at once.
   * @throws BUSY if the user's other cursors stay open for too long
   */
  cursor<R>(statement: Sql): Promise<RowCursor<R> | null>;
  hasChanged(): boolean;
  /** Records that a statement shared with other requests has committed a change for this request. */
  recordChange(): void;
  isClientGone(): boolean;
  /** Calls `listener` when the client disconnects, and possibly after it has received the response. */
  onGone(listener: () => void): void;
}

export interface RequestDbSource {
  limiter: ConnectionLimiter;
  responses: ResponseMemory;
  idAllocator: IdAllocator;
  rows<R>(statement: Sql, stoppable?: StoppableWork): Promise<R[]>;
  sharedRows: SharedReads;
  transaction<T>(fn: (db: Db) => Promise<T>, stoppable: StoppableWork): Promise<T>;
  cursor: CursorOpener;
  cursorTurns: CursorTurns;
  afterCommit: Db['afterCommit'];
}

/** Cancels the running statements of a request when its client disconnects. */
export function createRequestDb(source: RequestDbSource, workspace: number, requester: Requester): RequestDb {
  const { user, outgoing } = requester;
  const { limiter, responses, idAllocator: numbers } = source;
  const inTurn = createStatementQueue();
  let isChanged = false;
  // Number of slots that the request holds for longer than one statement. While it holds one, its statements need no
  // other slot.
  let slotCount = 0;
  const runWithSlot = <T>(fn: (slot: ConnectionSlot) => Promise<T>) =>
    withSlot(limiter, limiter.acquire(workspace, user, outgoing), fn);
  const recordChangeAndReturn = <T>(result: T): T => {
    isChanged = true;
    return result;
  };
  const trackResponseBytes = (bytes: number) => responses.track(workspace, bytes, outgoing);
  return {
    trackResponse: trackResponseBytes,
    hasChanged: () => isChanged,
    recordChange: () => {
      isChanged = true;
    },
    isClientGone: () => outgoing?.destroyed ?? false,
    finish: () => undefined,
    isTransaction: false,
    onGone: (listener) => {
      if (outgoing?.destroyed) listener();
      else outgoing?.once('close', listener);
    },
    afterCommit: source.afterCommit,
    idAllocator: numbers,
    rows: <R>(statement: Sql) =>
      inTurn(() => {
        const isRead = !mayChangeData(statement);
        const run = (slot: ConnectionSlot) => {
          slot.isRead = isRead && outgoing !== undefined;
          return source.rows<R>(statement, slot);
        };
        const result = slotCount > 0 ? source.rows<R>(statement) : runWithSlot(run);
        return isRead ? result : result.then(recordChangeAndReturn);
      }),
    value: readValue,
    sharedRows: <R>(statement: Sql) =>
      inTurn(() =>
        slotCount > 0 ? source.rows<R>(statement) : source.sharedRows<R>(workspace, statement, requester),
      ),
    transaction: (fn) =>
      runWithSlot(async (slot) => {
        slotCount++;
        try {
          return await source
            .transaction((db) => fn({ ...db, trackResponse: trackResponseBytes }), slot)
            .then(recordChangeAndReturn);
        } finally {
          slotCount--;
        }
      }),
    async cursor(statement) {
      const endTurn = await source.cursorTurns(`${workspace} ${user}`, outgoing);
      const slot = limiter.tryAcquire(workspace, user);
      if (!slot) {
        endTurn();
        return null;
      }
      slotCount++;
      return source.cursor(statement, () => {
        slotCount--;
        limiter.release(slot);
        endTurn();
      });
    },
  };
}

/** Runs statements one after another, even if earlier ones fail. */
function createStatementQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<void> | undefined;
  return <T>(run: () => Promise<T>) => {
    const result = last ? last.then(run) : run();
    const clear = () => {
      if (last === cleared) last = undefined;
    };
    const cleared = result.then(clear, clear);
    last = cleared;
    return result;
  };
}
