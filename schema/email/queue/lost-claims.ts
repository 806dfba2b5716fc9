import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { FailureGuard } from '../../../src/engine/work/due.ts';
import type { Clock } from '../../../src/loop/clock.ts';
import type { ClaimedEmails } from './claimed-emails.ts';
import { requeue } from './expired-leases.ts';

/**
 * Claims whose response was lost, for example because the connection broke. The database may have leased emails to this
 * worker that it never received.
 */
export interface LostClaims {
  /** @param at database time before the claim */
  add(workspaceId: number, at: string): void;
  /**
   * Requeues emails that were leased to this worker but never received. Call it only between claims, because it would
   * also requeue emails that a running claim is about to return. Failed checks are repeated.
   */
  putBack(): Promise<void>;
}

const CHECK_INTERVAL_MS = 500;
/** Milliseconds that a claim may still run in the database after its connection broke. */
const MAX_LATE_CLAIM_MS = 5_000;

interface LostClaim {
  at: string;
  /** The claim is checked until this time, which the first check sets. */
  until?: number;
}

export function createLostClaims(
  db: Database,
  worker: string,
  claimedEmails: ClaimedEmails,
  { leaseTime, clock, guard }: { leaseTime: number; clock: Clock; guard: FailureGuard },
): LostClaims {
  const claims = new Map<number, LostClaim>();
  let next = 0;
  return {
    add(workspaceId, at) {
      claims.set(workspaceId, { at: claims.get(workspaceId)?.at ?? at });
      next = 0;
    },
    async putBack() {
      const now = clock.now();
      if (claims.size === 0 || now < next) return;
      const resting = guard.resting();
      const checks = [...claims].filter(([workspaceId]) => !resting.includes(workspaceId));
      await Promise.all(
        checks.map(([workspaceId, lostClaim]) =>
          guard.run(workspaceId, async () => {
            await requeue(
              db,
              workspaceId,
              isUnknownToWorker(worker, lostClaim.at, claimedEmails.getIds(workspaceId)),
            );
            // Must end before outcomes are no longer retried, because an email with an unrecorded outcome looks like a
            // lost claim.
            lostClaim.until ??= now + Math.min(MAX_LATE_CLAIM_MS, leaseTime / 2);
            if (now >= lostClaim.until) claims.delete(workspaceId);
          }),
        ),
      );
      next = now + CHECK_INTERVAL_MS;
    },
  };
}

/**
 * Matches emails leased to this worker after `at` that it did not receive. Earlier emails are being sent, or their
 * outcome could not be recorded.
 */
const isUnknownToWorker = (worker: string, at: string, claimedIds: number[]): Sql => sql`m.state = 'sending'
  and m.lease_by = ${worker} and m.write_date >= ${at}::timestamp and m.id <> all(${claimedIds}::bigint[])`;
