import { isDeepStrictEqual } from 'node:util';
import { limits } from '../limits.ts';
import { type Asker, type Gate, inPlace, type PoolPlace, type Requester } from './gate.ts';
import type { Sql } from './sql.ts';

/** The rows are those of others as well, so no one changes them. */
export type SharedReads = <R>(workspace: number, statement: Sql, caller: Requester) => Promise<R[]>;

/** A statement that has not begun. */
interface Waiting {
  params: unknown[];
  askers: (Asker | undefined)[];
  rows: Promise<unknown[]>;
}

/**
 * Reads of a statement that changes nothing and calls nothing that does. While it waits for its workspace's share of
 * the connections, it is one for all that ask the same: it begins after each of them has asked, so each sees what was
 * committed before (docs/adr/0027-together.md). A user who would not wait does not join others who do.
 */
export function createSharedReads(
  gate: Gate,
  rows: <R>(statement: Sql, place: PoolPlace) => Promise<R[]>,
): SharedReads {
  const waiting = new Map<string, Waiting>();

  return <R>(workspace: number, statement: Sql, { user, outgoing }: Requester): Promise<R[]> => {
    const { text, params } = statement.render();
    const key = `${workspace} ${text}`;
    const same = waiting.get(key);
    const mayJoin = same && same.askers.length < limits.sql.waiting && !gate.mayEnter(workspace, user);
    if (mayJoin && isDeepStrictEqual(same.params, params)) {
      same.askers.push(outgoing);
      return same.rows as Promise<R[]>;
    }
    const askers: (Asker | undefined)[] = [outgoing];
    const run = (place: PoolPlace) => {
      place.isRead = askers.some((asker) => asker !== undefined);
      return rows<R>(statement, place);
    };
    const given = gate.enter(workspace, user, allOf(askers));
    if (!(given instanceof Promise)) return inPlace(gate, given, run);
    const begin = () => {
      if (waiting.get(key)?.askers === askers) waiting.delete(key);
    };
    given.then(begin, begin);
    const answer = inPlace(gate, given, run);
    waiting.set(key, { params, askers, rows: answer });
    return answer;
  };
}

/** They are gone when each of them is. */
const allOf = (askers: readonly (Asker | undefined)[]): Asker => ({
  get destroyed() {
    return askers.every((asker) => asker?.destroyed);
  },
});
