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

/** Do not modify the rows, because they are shared with other callers. */
export type SharedReads = <R>(workspace: number, statement: Sql, caller: Requester) => Promise<R[]>;

interface PendingRead {
  params: unknown[];
  clients: (WaitingClient | undefined)[];
  rows: Promise<unknown[]>;
}

/**
 * Shares reads that have no side effects. While a read waits for a connection slot of its workspace, identical reads
 * join it. The read starts after each of them was requested, so each caller sees earlier commits
 * (docs/adr/0027-request-batching.md). A user who would get a slot immediately does not join a waiting read.
 */
export function createSharedReads(
  gate: ConnectionLimiter,
  rows: <R>(statement: Sql, place: ConnectionSlot) => Promise<R[]>,
): SharedReads {
  const waiting = new Map<string, PendingRead>();

  return <R>(workspace: number, statement: Sql, { user, outgoing }: Requester): Promise<R[]> => {
    const { text, params } = statement.render();
    const key = `${workspace} ${text}`;
    const pending = waiting.get(key);
    const mayJoin =
      pending && pending.clients.length < limits.sql.waiting && !gate.canAcquire(workspace, user);
    if (mayJoin && isDeepStrictEqual(pending.params, params)) {
      pending.clients.push(outgoing);
      return pending.rows as Promise<R[]>;
    }
    const askers: (WaitingClient | undefined)[] = [outgoing];
    const run = (place: ConnectionSlot) => {
      place.isRead = askers.some((asker) => asker !== undefined);
      return rows<R>(statement, place);
    };
    const slot = gate.acquire(workspace, user, combineClients(askers));
    if (!(slot instanceof Promise)) return withSlot(gate, slot, run);
    const startRead = () => {
      if (waiting.get(key)?.clients === askers) waiting.delete(key);
    };
    slot.then(startRead, startRead);
    const answer = withSlot(gate, slot, run);
    waiting.set(key, { params, clients: askers, rows: answer });
    return answer;
  };
}

/** Counts as disconnected when all clients have disconnected. */
const combineClients = (askers: readonly (WaitingClient | undefined)[]): WaitingClient => ({
  get destroyed() {
    return askers.every((asker) => asker?.destroyed);
  },
});
