import type { Db } from '../../../src/db/db.ts';
import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { decryptText, encryptText } from '../../../src/encryption.ts';
import type { OAuthPayload, OAuthStore } from '../../../src/engine/ctx/runtime.ts';
import { computeRowHash } from '../../../src/engine/identity/row-hash.ts';
import { limits } from '../../../src/limits.ts';

/**
 * Maximum number of a workspace's registered clients without a consent. At the limit, a new client replaces the oldest.
 */
export const MAX_UNUSED_CLIENTS = 1_000;

/** Creates the store of a workspace's authorization server. Its contents are encrypted with the secret key. */
export function createOAuthStore(db: Database, secretKey: string, workspaceId: number): OAuthStore {
  const computeHash = (kind: string, id: string) => computeRowHash(secretKey, kind, id);
  const getGrantHash = (kind: string, id: string, { grantId }: OAuthPayload): string | null => {
    if (kind === 'Grant') return computeHash('Grant', id);
    return CREDENTIAL_KINDS.has(kind) && grantId ? computeHash('Grant', grantId) : null;
  };
  return {
    workspaceId,
    async find(kind, id) {
      const [row] = await db.rows<{ sealed: string; consumed: number | null }>(
        sql`select sealed, extract(epoch from consumed_at)::float8 as consumed from svc_oauth_payload
          where workspace_id = ${workspaceId} and kind = ${kind} and hash = ${computeHash(kind, id)}
            and expires_at > now()`,
      );
      const text = row && decryptText(secretKey, row.sealed);
      if (!text) return null;
      return { ...JSON.parse(text), ...(row.consumed !== null && { consumed: Math.floor(row.consumed) }) };
    },
    async put(kind, id, payload, seconds) {
      const encrypted = encryptText(secretKey, JSON.stringify(payload));
      await db.rows(
        sql`insert into svc_oauth_payload (workspace_id, kind, hash, sealed, grant_hash, expires_at)
          values (${workspaceId}, ${kind}, ${computeHash(kind, id)}, ${encrypted}, ${getGrantHash(kind, id, payload)},
            ${computeExpiry(seconds)}::timestamp)
          on conflict (workspace_id, kind, hash)
          do update set sealed = excluded.sealed, expires_at = excluded.expires_at`,
      );
    },
    async consume(kind, id) {
      const rows = await db.rows(
        sql`update svc_oauth_payload set consumed_at = ${computeExpiry(0)}::timestamp
          where workspace_id = ${workspaceId} and kind = ${kind} and hash = ${computeHash(kind, id)}
            and consumed_at is null returning kind`,
      );
      return rows.length > 0;
    },
    async drop(kind, id) {
      await db.rows(
        sql`delete from svc_oauth_payload
          where workspace_id = ${workspaceId} and kind = ${kind} and hash = ${computeHash(kind, id)}`,
      );
    },
    revoke(grantId, within) {
      const run = (tx: Db) => revokeGrant(tx, workspaceId, computeHash('Grant', grantId));
      return within ? run(within) : db.transaction(run);
    },
    async isConnected(userId, clientId) {
      const rows = await db.rows(
        sql`select 1 from svc_connected_agent where workspace_id = ${workspaceId} and user_id = ${userId}
          and client_id = ${clientId} and revoked_at is null and expires_at > now() limit 1`,
      );
      return rows.length > 0;
    },
    async prolong(clientId, seconds) {
      await db.rows(
        sql`update svc_oauth_payload set expires_at = greatest(expires_at, ${computeExpiry(seconds)}::timestamp)
          where workspace_id = ${workspaceId} and kind = 'Client' and hash = ${computeHash('Client', clientId)}`,
      );
    },
    makeRoom: () => deleteUnusedClients(db, workspaceId),
  };
}

/** Revokes a grant. Returns its connected agent's id, or null if it has none or was already revoked. */
async function revokeGrant(tx: Db, workspaceId: number, grantHash: string): Promise<number | null> {
  const now = computeExpiry(0);
  await tx.rows(
    sql`delete from svc_oauth_payload where workspace_id = ${workspaceId} and grant_hash = ${grantHash}`,
  );
  const [agent] = await tx.rows<{ id: number }>(
    sql`update svc_connected_agent set revoked_at = ${now}::timestamp, expires_at = ${now}::timestamp
      where workspace_id = ${workspaceId} and grant_hash = ${grantHash} and revoked_at is null returning id`,
  );
  return agent?.id ?? null;
}

/**
 * Deletes the oldest clients without a consent, except those that may still be waiting for one. Returns true if another
 * client may register.
 */
async function deleteUnusedClients(db: Database, workspaceId: number): Promise<boolean> {
  const { unusedSeconds, decisionSeconds } = limits.oauth;
  const workspace = sql.param(workspaceId);
  const unusedSql = sql`workspace_id = ${workspace} and kind = 'Client'
    and expires_at > ${computeExpiry(0)}::timestamp and expires_at <= ${computeExpiry(unusedSeconds)}::timestamp`;
  await db.rows(
    sql`delete from svc_oauth_payload where ${unusedSql}
      and expires_at <= ${computeExpiry(unusedSeconds - decisionSeconds)}::timestamp and hash in (
        select hash from svc_oauth_payload where ${unusedSql}
        order by expires_at desc
        offset ${sql.literal(MAX_UNUSED_CLIENTS - 1)} limit ${sql.literal(limits.sql.batchRows)})`,
  );
  const count = await db.value<number>(sql`select count(*)::int from svc_oauth_payload where ${unusedSql}`);
  return count < MAX_UNUSED_CLIENTS;
}

const CREDENTIAL_KINDS = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken']);

/** Drops the `Z`, because timestamp columns have no time zone and store UTC. */
const computeExpiry = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toISOString().slice(0, 23);
