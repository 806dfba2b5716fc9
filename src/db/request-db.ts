import {
  type ConnectionLimiter,
  type ConnectionSlot,
  type Requester,
  withSlot,
} from './connection-limiter.ts';
import type { OpenCursor, RowCursor } from './cursor.ts';
import type { Db, IdAllocator } from './db.ts';
import type { ResponseMemory } from './response-memory.ts';
import type { SharedReads } from './shared-reads.ts';
import { mayChangeData, type Sql } from './sql.ts';
import type { Stoppable } from './stoppable.ts';

/** The database for one request of a workspace: its statements take turns on one connection. */
export interface RequestDb extends Db {
  /** Rows of a statement that only reads, which are those of others as well (see shared-reads.ts). */
  sharedRows<R>(statement: Sql): Promise<readonly R[]>;
  /** null where the answer has to be read at once. */
  cursor<R>(statement: Sql): Promise<RowCursor<R> | null>;
  /** Whether something may have been committed for the request. */
  hasChanged(): boolean;
  /** Notes that a statement shared with other requests has committed something for this one. */
  recordChange(): void;
  /** Whether the client has hung up. */
  isClientGone(): boolean;
  /** Calls `heard` when the client hangs up; once it has its answer, that may be called as well. */
  onGone(heard: () => void): void;
}

/** What these are made of. */
export interface RequestDbSource {
  limiter: ConnectionLimiter;
  responses: ResponseMemory;
  idAllocator: IdAllocator;
  rows<R>(statement: Sql, running?: Stoppable): Promise<R[]>;
  sharedRows: SharedReads;
  transaction<T>(fn: (db: Db) => Promise<T>, running: Stoppable): Promise<T>;
  cursor: OpenCursor;
  afterCommit: Db['afterCommit'];
}

/** What runs for the request is stopped when its client goes. */
export function createRequestDb(source: RequestDbSource, workspace: number, requester: Requester): RequestDb {
  const { user, outgoing } = requester;
  const { limiter: gate, responses: answers, idAllocator: numbers } = source;
  const inTurn = createStatementQueue();
  let changed = false;
  // How often the request has a place for longer than a statement; what it asks meanwhile needs no other.
  let held = 0;
  const runWithSlot = <T>(fn: (place: ConnectionSlot) => Promise<T>) =>
    withSlot(gate, gate.acquire(workspace, user, outgoing), fn);
  const changes = <T>(result: T): T => {
    changed = true;
    return result;
  };
  const keep = (bytes: number) => answers.track(workspace, bytes, outgoing);
  return {
    trackResponse: keep,
    hasChanged: () => changed,
    recordChange: () => {
      changed = true;
    },
    isClientGone: () => outgoing?.destroyed ?? false,
    finish: () => undefined,
    isTransaction: false,
    onGone: (heard) => {
      if (outgoing?.destroyed) heard();
      else outgoing?.once('close', heard);
    },
    afterCommit: source.afterCommit,
    idAllocator: numbers,
    rows: <R>(statement: Sql) =>
      inTurn(() => {
        const isRead = !mayChangeData(statement);
        const run = (place: ConnectionSlot) => {
          place.isRead = isRead && outgoing !== undefined;
          return source.rows<R>(statement, place);
        };
        const asked = held > 0 ? source.rows<R>(statement) : runWithSlot(run);
        return isRead ? asked : asked.then(changes);
      }),
    sharedRows: <R>(statement: Sql) =>
      inTurn(() =>
        held > 0 ? source.rows<R>(statement) : source.sharedRows<R>(workspace, statement, requester),
      ),
    transaction: (fn) =>
      runWithSlot(async (place) => {
        held++;
        try {
          return await source.transaction((db) => fn({ ...db, trackResponse: keep }), place).then(changes);
        } finally {
          held--;
        }
      }),
    async cursor(statement) {
      const place = gate.tryAcquire(workspace, user);
      if (!place) return null;
      held++;
      return source.cursor(statement, () => {
        held--;
        gate.release(place);
      });
    },
  };
}

/** Statements one after another, whatever becomes of those before. */
function createStatementQueue(): <T>(ask: () => Promise<T>) => Promise<T> {
  let last: Promise<void> | undefined;
  return <T>(ask: () => Promise<T>) => {
    const answer = last ? last.then(ask) : ask();
    const clear = () => {
      if (last === ended) last = undefined;
    };
    const ended = answer.then(clear, clear);
    last = ended;
    return answer;
  };
}
