import type { Database } from '../../../src/db/pool.ts';
import type { Clock } from '../../../src/loop/clock.ts';
import { type ClaimedEmail, renew } from './claim.ts';

/**
 * Maximum bytes of large content that a process holds, and that it claims from one workspace. A larger email is
 * processed alone. Composing and sending a message uses up to nine times its size.
 */
export const MAX_LARGE_CONTENT_BYTES = 24 * 1024 * 1024;
/** Maximum bytes of an email's content as stored, with attachments in Base64. */
export const MAX_STORED_EMAIL_BYTES = 40 * 1024 * 1024;

export interface ClaimedEmails {
  add(email: ClaimedEmail): void;
  delete(email: ClaimedEmail): void;
  size(): number;
  getIds(workspaceId: number): number[];
  /** Returns how many bytes of large content may still be claimed from a workspace. */
  room(workspaceId: number): number;
  /**
   * Renews leases older than a third of the lease time. If any renewal fails, rejects after all have been attempted.
   */
  renew(): Promise<void>;
}

interface ClaimState {
  email: Pick<ClaimedEmail, 'workspace_id' | 'id' | 'large'>;
  since: number;
}

export function createClaimedEmails(
  db: Database,
  worker: string,
  leaseTime: number,
  clock: Clock,
): ClaimedEmails {
  const claims = new Map<string, ClaimState>();
  const large = new Map<number, number>();
  const buildKey = (email: Pick<ClaimedEmail, 'workspace_id' | 'id'>) => `${email.workspace_id} ${email.id}`;

  function count(workspaceId: number, bytes: number): void {
    const now = (large.get(workspaceId) ?? 0) + bytes;
    if (now > 0) large.set(workspaceId, now);
    else large.delete(workspaceId);
  }

  return {
    add({ workspace_id, id, large: bytes }) {
      claims.set(buildKey({ workspace_id, id }), {
        email: { workspace_id, id, large: bytes },
        since: clock.now(),
      });
      count(workspace_id, bytes);
    },
    delete(email) {
      if (claims.delete(buildKey(email))) count(email.workspace_id, -email.large);
    },
    size: () => claims.size,
    getIds: (workspaceId) =>
      [...claims.values()].flatMap(({ email }) => (email.workspace_id === workspaceId ? [email.id] : [])),
    room(workspaceId) {
      const bytes = large.get(workspaceId) ?? 0;
      return bytes === 0 ? MAX_STORED_EMAIL_BYTES : MAX_LARGE_CONTENT_BYTES - bytes;
    },
    async renew() {
      const now = clock.now();
      const oldClaims = [...claims.values()].filter(({ since }) => now - since >= leaseTime / 3);
      const byWorkspace = Map.groupBy(oldClaims, ({ email }) => email.workspace_id);
      const failures: unknown[] = [];
      for (const [workspaceId, workspaceStates] of byWorkspace) {
        const ids = workspaceStates.map(({ email }) => email.id);
        await renew(db, workspaceId, worker, ids, leaseTime).then(
          () => {
            for (const holdingState of workspaceStates) holdingState.since = now;
          },
          (error) => failures.push(error),
        );
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
