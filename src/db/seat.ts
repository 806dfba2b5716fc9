import type { Answers } from './answers.ts';
import type { OpenCursor, RowCursor } from './cursor.ts';
import type { Db } from './db.ts';
import type { Gate, Outgoing, Place } from './gate.ts';
import type { Sql } from './sql.ts';
import type { Stoppable } from './stoppable.ts';

/** The database for one request of a workspace: its statements take turns on one connection. */
export interface Seat extends Db {
  /** null where the answer has to be read at once. */
  cursor<R>(statement: Sql): Promise<RowCursor<R> | null>;
}

/** What seats are made of. */
export interface Seating {
  gate: Gate;
  answers: Answers;
  rows<R>(statement: Sql, running?: Stoppable): Promise<R[]>;
  transaction<T>(fn: (db: Db) => Promise<T>, running: Stoppable): Promise<T>;
  cursor: OpenCursor;
}

/** The seat of a request; what runs for it is stopped when its client goes. */
export function createSeat(seating: Seating, workspace: number, outgoing?: Outgoing): Seat {
  const { gate, answers } = seating;
  // How often the request has a place for longer than a statement; what it asks meanwhile needs no other.
  let held = 0;
  const seated = <T>(fn: (place: Place) => Promise<T>) => inPlace(gate, gate.enter(workspace, outgoing), fn);
  const keep = (bytes: number) => answers.keep(workspace, bytes, outgoing);
  return {
    keep,
    rows: inTurn(<R>(statement: Sql) =>
      held > 0 ? seating.rows<R>(statement) : seated((place) => seating.rows<R>(statement, place)),
    ),
    transaction: (fn) =>
      seated(async (place) => {
        held++;
        try {
          return await seating.transaction((db) => fn({ ...db, keep }), place);
        } finally {
          held--;
        }
      }),
    async cursor(statement) {
      const place = gate.tryEnter(workspace);
      if (!place) return null;
      held++;
      return seating.cursor(statement, () => {
        held--;
        gate.leave(place);
      });
    },
  };
}

/** Runs `fn` in a place, once that is there, and leaves it. */
export function inPlace<T>(
  gate: Gate,
  given: Place | Promise<Place>,
  fn: (place: Place) => Promise<T>,
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
