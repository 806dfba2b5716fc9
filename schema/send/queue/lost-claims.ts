import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Clock } from '../../../src/delivery/clock.ts';
import type { ClaimedEmails } from './claimed-emails.ts';
import { requeue } from './expired-leases.ts';

/**
 * Claims whose answer was lost, as when the connection broke: the database may have made them, and the worker does not
 * know of which emails.
 */
export interface LostClaims {
  /** @param at the time of the database when the worker looked, before it claimed */
  add(workspaceId: number, at: string): void;
  /**
   * Puts emails back into the queue that are claimed by this worker and not in its hands. Only for who claims, in
   * between claims: all it has heard of is held by then.
   */
  putBack(): Promise<void>;
}

/** Milliseconds between two looks. */
const CHECK_INTERVAL_MS = 500;
/** Milliseconds for which a claim may still run in the database after its connection has broken. */
const MAX_LATE_CLAIM_MS = 5_000;

interface LostClaim {
  at: string;
  /** When the last look is due, once there was a first. */
  until?: number;
}

export function createLostClaims(
  db: Database,
  worker: string,
  held: ClaimedEmails,
  { leaseTime, clock }: { leaseTime: number; clock: Clock },
): LostClaims {
  const lost = new Map<number, LostClaim>();
  let next = 0;
  return {
    add(workspaceId, at) {
      lost.set(workspaceId, { at: lost.get(workspaceId)?.at ?? at });
      next = 0;
    },
    async putBack() {
      const now = clock.now();
      if (lost.size === 0 || now < next) return;
      for (const [workspaceId, one] of lost) {
        await requeue(db, workspaceId, isUnknownToWorker(worker, one.at, held.getIds(workspaceId)));
        // Not as long as the outcome of an email that was claimed meanwhile is tried to be written.
        one.until ??= now + Math.min(MAX_LATE_CLAIM_MS, leaseTime / 2);
        if (now >= one.until) lost.delete(workspaceId);
      }
      next = now + CHECK_INTERVAL_MS;
    },
  };
}

/** Emails that were claimed before are with the provider, or their outcome could not be written. */
const isUnknownToWorker = (worker: string, at: string, held: number[]): Sql => sql`m.state = 'sending'
  and m.lease_by = ${worker} and m.write_date >= ${at}::timestamp and m.id <> all(${held}::bigint[])`;
