import { isDeepStrictEqual } from 'node:util';
import { limits } from '../limits.ts';
import {
  type ConnectionLimiter,
  type ConnectionSlot,
  type Requester,
  type WaitingClient,
  withSlot,
} from './connection-limiter.ts';
import type { Sql } from './sql.ts';

/** The rows are those of others as well, so no one changes them. */
export type SharedReads = <R>(workspace: number, statement: Sql, caller: Requester) => Promise<R[]>;

/** A statement that has not begun. */
interface PendingRead {
  params: unknown[];
  clients: (WaitingClient | undefined)[];
  rows: Promise<unknown[]>;
}

/**
 * Reads of a statement that changes nothing and calls nothing that does. While it waits for its workspace's share of
 * the connections, it is one for all that ask the same: it begins after each of them has asked, so each sees what was
 * committed before (docs/adr/0027-together.md). A user who would not wait does not join others who do.
 */
export function createSharedReads(
  gate: ConnectionLimiter,
  rows: <R>(statement: Sql, place: ConnectionSlot) => Promise<R[]>,
): SharedReads {
  const waiting = new Map<string, PendingRead>();

  return <R>(workspace: number, statement: Sql, { user, outgoing }: Requester): Promise<R[]> => {
    const { text, params } = statement.render();
    const key = `${workspace} ${text}`;
    const same = waiting.get(key);
    const mayJoin = same && same.clients.length < limits.sql.waiting && !gate.canAcquire(workspace, user);
    if (mayJoin && isDeepStrictEqual(same.params, params)) {
      same.clients.push(outgoing);
      return same.rows as Promise<R[]>;
    }
    const askers: (WaitingClient | undefined)[] = [outgoing];
    const run = (place: ConnectionSlot) => {
      place.isRead = askers.some((asker) => asker !== undefined);
      return rows<R>(statement, place);
    };
    const given = gate.acquire(workspace, user, combineClients(askers));
    if (!(given instanceof Promise)) return withSlot(gate, given, run);
    const startRead = () => {
      if (waiting.get(key)?.clients === askers) waiting.delete(key);
    };
    given.then(startRead, startRead);
    const answer = withSlot(gate, given, run);
    waiting.set(key, { params, clients: askers, rows: answer });
    return answer;
  };
}

/** They are gone when each of them is. */
const combineClients = (askers: readonly (WaitingClient | undefined)[]): WaitingClient => ({
  get destroyed() {
    return askers.every((asker) => asker?.destroyed);
  },
});
