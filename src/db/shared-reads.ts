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
 * Shares reads that have no side effects. While a read waits for a connection slot, identical reads join it. The read
 * starts after all of them were requested, so each caller sees earlier commits (docs/adr/0027-request-batching.md). A
 * user who would get a slot immediately does not join.
 */
export function createSharedReads(
  limiter: ConnectionLimiter,
  rows: <R>(statement: Sql, slot: ConnectionSlot) => Promise<R[]>,
): SharedReads {
  const waitingReads = new Map<string, PendingRead>();

  return <R>(workspace: number, statement: Sql, { user, outgoing }: Requester): Promise<R[]> => {
    const { text, params } = statement.render();
    const key = `${workspace} ${text}`;
    const read = waitingReads.get(key);
    const mayJoin = read && read.clients.length < limits.sql.waiting && !limiter.canAcquire(workspace, user);
    if (mayJoin && isDeepStrictEqual(read.params, params)) {
      read.clients.push(outgoing);
      return read.rows as Promise<R[]>;
    }
    const requesters: (WaitingClient | undefined)[] = [outgoing];
    const run = (slot: ConnectionSlot) => {
      slot.isRead = requesters.some((requester) => requester !== undefined);
      return rows<R>(statement, slot);
    };
    const slot = limiter.acquire(workspace, user, combineClients(requesters));
    if (!(slot instanceof Promise)) return withSlot(limiter, slot, run);
    const startRead = () => {
      if (waitingReads.get(key)?.clients === requesters) waitingReads.delete(key);
    };
    slot.then(startRead, startRead);
    const result = withSlot(limiter, slot, run);
    waitingReads.set(key, { params, clients: requesters, rows: result });
    return result;
  };
}

/** Combines clients into one that counts as disconnected when all of them have disconnected. */
const combineClients = (requesters: readonly (WaitingClient | undefined)[]): WaitingClient => ({
  get destroyed() {
    return requesters.every((requester) => requester?.destroyed);
  },
});
