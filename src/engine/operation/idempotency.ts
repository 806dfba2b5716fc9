import { sql } from '../../db/sql.ts';
import { decryptIfPrefixed, encryptWithPrefix } from '../../encryption.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Principal } from '../model/principal.ts';
import { computeKeyedHash } from '../value/keys.ts';

interface KeyedRequest {
  key: string;
  hash: string;
}

/** @throws BAD_REQUEST if the key is empty or too long */
export function assertIdempotencyKey(key: string): void {
  if (key.length < 1 || key.length > limits.call.idempotencyKey)
    throw errors.badRequest(`Idempotency-Key: must have 1 to ${limits.call.idempotencyKey} characters.`);
}

interface StoredReply {
  status: number;
  body: string;
}

/** `running`: another request with the same key is in progress. `other`: the key was used for a different request. */
type IdempotentResult =
  | ({ kind: 'done' } & StoredReply)
  | ({ kind: 'repeated' } & StoredReply)
  | { kind: 'running' }
  | { kind: 'other' };

/**
 * Runs a write once per idempotency key and principal, for as long as replies are stored. The reply is stored in the
 * write's transaction, so neither exists without the other. A failed write stores nothing and can be retried with the
 * same key. The reply is encrypted, because it may contain data that only this caller may see. Operations that create a
 * secret do not accept a key.
 */
export function runOnce(
  ctx: Ctx,
  request: KeyedRequest,
  run: (tx: Ctx) => Promise<StoredReply>,
): Promise<IdempotentResult> {
  return ctx.tx(async (tx): Promise<IdempotentResult> => {
    const owner = getKeyOwner(tx.principal!);
    if (!(await lockKey(tx, owner, request.key))) return { kind: 'running' };
    const storedReply = await findStoredReply(tx, owner, request.key);
    if (storedReply && storedReply.request_hash !== request.hash) return { kind: 'other' };
    if (storedReply) return { kind: 'repeated', status: storedReply.status, body: storedReply.body };
    const result = await run(tx);
    await storeReply(tx, owner, request, result);
    return { kind: 'done', ...result };
  });
}

/**
 * Computes equal fingerprints for equal calls, regardless of JSON formatting. The hash is keyed, so that a password in
 * the arguments cannot be guessed from it.
 */
export const computeFingerprint = (ctx: Ctx, model: string, method: string, namedArgs: object): string =>
  computeKeyedHash(ctx.runtime.config.secretKey, JSON.stringify([model, method, namedArgs]));

/**
 * A restricted key counts as a separate principal, so that it cannot replay a request that it could not make itself.
 */
function getKeyOwner({ kind, userId, keyId, scopes }: Principal): string {
  return kind === 'user' && scopes === null ? `user ${userId}` : `key ${keyId}`;
}

/** Acquires a lock until the end of the transaction, without waiting. PostgreSQL releases it if the process dies. */
async function lockKey(tx: Ctx, owner: string, key: string): Promise<boolean> {
  const name = `${tx.workspace.id} ${owner} ${key}`;
  return tx.db.value<boolean>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${name}`}, 0))`,
  );
}

async function findStoredReply(
  tx: Ctx,
  owner: string,
  key: string,
): Promise<(StoredReply & { request_hash: string }) | null> {
  const [row] = await tx.db.rows<StoredReply & { request_hash: string }>(
    sql`select request_hash, status, body from svc_replay
     where workspace_id = ${tx.workspace.id} and principal = ${owner} and key = ${key}
       and created_at >= now() - make_interval(hours => ${limits.call.idempotencyHours})`,
  );
  const body = row && decryptIfPrefixed(tx.runtime.config.secretKey, row.body);
  return body == null ? null : { ...row!, body };
}

async function storeReply(
  tx: Ctx,
  owner: string,
  { key, hash }: KeyedRequest,
  { status, body }: StoredReply,
): Promise<void> {
  await tx.db.rows(
    sql`insert into svc_replay (workspace_id, principal, key, request_hash, status, body, created_at)
     values (${tx.workspace.id}, ${owner}, ${key}, ${hash}, ${status},
        ${encryptWithPrefix(tx.runtime.config.secretKey, body)},
       now())
     on conflict (workspace_id, principal, key) do update
       set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body,
         created_at = excluded.created_at`,
  );
}
