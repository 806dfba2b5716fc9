import type { AnswerMemory } from './answers.ts';
import type { OpenCursor, RowCursor } from './cursor.ts';
import type { Db, RowNumbers } from './db.ts';
import type { AnswerSocket, Gate, PoolPlace } from './gate.ts';
import { isChange, type Sql } from './sql.ts';
import type { Stoppable } from './stoppable.ts';

/** The database for one request of a workspace: its statements take turns on one connection. */
export interface RequestDb extends Db {
  /** null where the answer has to be read at once. */
  cursor<R>(statement: Sql): Promise<RowCursor<R> | null>;
  /** Whether something may have been committed for the request. */
  hasChanged(): boolean;
  /** Whether the client has hung up. */
  isGone(): boolean;
}

/** What these are made of. */
export interface RequestSource {
  gate: Gate;
  answers: AnswerMemory;
  numbers: RowNumbers;
  rows<R>(statement: Sql, running?: Stoppable): Promise<R[]>;
  transaction<T>(fn: (db: Db) => Promise<T>, running: Stoppable): Promise<T>;
  cursor: OpenCursor;
  afterCommit: Db['afterCommit'];
}

/** What runs for the request is stopped when its client goes. */
export function createRequestDb(
  source: RequestSource,
  workspace: number,
  outgoing?: AnswerSocket,
): RequestDb {
  const { gate, answers, numbers } = source;
  let changed = false;
  // How often the request has a place for longer than a statement; what it asks meanwhile needs no other.
  let held = 0;
  const placed = <T>(fn: (place: PoolPlace) => Promise<T>) =>
    inPlace(gate, gate.enter(workspace, outgoing), fn);
  const changes = <T>(result: T): T => {
    changed = true;
    return result;
  };
  const keep = (bytes: number) => answers.keep(workspace, bytes, outgoing);
  return {
    keep,
    hasChanged: () => changed,
    isGone: () => outgoing?.destroyed ?? false,
    afterCommit: source.afterCommit,
    numbers,
    rows: inTurn(<R>(statement: Sql) => {
      const asked =
        held > 0 ? source.rows<R>(statement) : placed((place) => source.rows<R>(statement, place));
      return isChange(statement) ? asked.then(changes) : asked;
    }),
    transaction: (fn) =>
      placed(async (place) => {
        held++;
        try {
          return await source.transaction((db) => fn({ ...db, keep }), place).then(changes);
        } finally {
          held--;
        }
      }),
    async cursor(statement) {
      const place = gate.tryEnter(workspace);
      if (!place) return null;
      held++;
      return source.cursor(statement, () => {
        held--;
        gate.leave(place);
      });
    },
  };
}

/** Runs `fn` in a place, once that is there, and leaves it. */
export function inPlace<T>(
  gate: Gate,
  given: PoolPlace | Promise<PoolPlace>,
  fn: (place: PoolPlace) => Promise<T>,
): Promise<T> {
  if (given instanceof Promise) return given.then((place) => inPlace(gate, place, fn));
  const leave = () => gate.leave(given);
  const used = fn(given);
  used.then(leave, leave);
  return used;
}

/** Statements one after another, whatever becomes of those before. */
function inTurn(ask: <R>(statement: Sql) => Promise<R[]>): Db['rows'] {
  let last: Promise<void> | undefined;
  return <R>(statement: Sql) => {
    const rows = last ? last.then(() => ask<R>(statement)) : ask<R>(statement);
    const clear = () => {
      if (last === ended) last = undefined;
    };
    const ended = rows.then(clear, clear);
    last = ended;
    return rows;
  };
}
