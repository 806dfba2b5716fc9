import { createCache, createLoadingCache } from '../../cache.ts';
import type { Config } from '../../config.ts';
import { INVALIDATION_CHANNEL } from '../../db/notifications/cache-invalidation.ts';
import type { Database } from '../../db/pool.ts';
import { limits } from '../../limits.ts';
import type { CatalogCache } from '../ctx/catalog.ts';
import type { IdentitySource } from '../ctx/product.ts';
import type { Caller, Identity, UserMatch } from '../ctx/runtime.ts';
import type { Workspace } from '../ctx/workspace.ts';
import { computeKeyedHash, parseKeyPrefix, parseTokenWorkspace } from '../value/keys.ts';
import { createPasswordAuthenticator } from './password.ts';
import { createTokenAuthenticator } from './token.ts';

export const IDENTITY_TTL_MS = 30_000;

/**
 * Authenticates callers. Caches results only while the database can notify this process of changes
 * (src/db/notifications/cache-invalidation.ts), so a revoked key stops working immediately in every process.
 */
export async function createIdentity(
  db: Database,
  { secretKey, passwordCost }: Pick<Config, 'secretKey' | 'passwordCost'>,
  catalogs: CatalogCache,
  source: IdentitySource,
): Promise<Identity> {
  const bounds = { age: IDENTITY_TTL_MS, entries: limits.identity.entries };
  const callers = createLoadingCache<string, Caller>(bounds);
  const workspaces = createLoadingCache<string, Workspace>(bounds);
  const tokens = createTokenAuthenticator(secretKey, source);
  const readKey = createKeyReader(secretKey);
  const byPassword = createPasswordAuthenticator({ db, source, secretKey, cost: passwordCost, callers });
  const forget = (workspaceId?: number) => {
    byPassword.forget(workspaceId);
    callers.invalidate(workspaceId ? ({ workspace }) => workspace.id === workspaceId : undefined);
    tokens.forget(workspaceId);
    workspaces.invalidate(workspaceId ? (workspace) => workspace.id === workspaceId : undefined);
    catalogs.invalidate(workspaceId);
  };
  db.onListening((up) => {
    callers.setEnabled(up);
    tokens.keep(up);
    workspaces.setEnabled(up);
    catalogs.setEnabled(up);
  });
  // The payload is the id of the changed workspace, or empty for all workspaces.
  await db.listen(INVALIDATION_CHANNEL, (payload) => forget(Number(payload)));
  const used = createUseRecorder(source.noteKeyUse, ({ principal }) => principal.keyId);
  const sessionUsed = createUseRecorder(source.noteSessionUse, ({ principal }) => principal.session);
  const findByKey = async ({ prefix, hash }: ParsedKey) => {
    const caller = await callers.get(hash, () => source.key(prefix, hash));
    if (caller) used(caller);
    return caller;
  };
  const keyOwner = (secret: string) => {
    const key = readKey(secret);
    return key && findByKey(key);
  };
  return {
    byKey: async (secret) => keyOwner(secret),
    byUser: createUserAuthenticator(byPassword.byUser, keyOwner),
    findKeyOwner: async (key) => {
      const prefix = parseKeyPrefix(key);
      const owner = prefix === null ? null : await source.keyOwner(prefix);
      const workspace = owner && (await workspaces.get(owner.slug, () => source.workspace(owner.slug)));
      return workspace && { workspace, userId: owner.userId };
    },
    bySession: async (token) => {
      const hash = computeKeyedHash(secretKey, token);
      const caller = await callers.get(`session ${hash}`, () =>
        source.session(hash, parseTokenWorkspace(token)),
      );
      if (caller) sessionUsed(caller);
      return caller;
    },
    byToken: tokens.byToken,
    oauth: (workspaceId) => source.oauth(secretKey, workspaceId),
    connectAgent: source.connectAgent,
    workspace: (slug) => workspaces.get(slug, () => source.workspace(slug)),
    slugs: source.slugs,
    principal: async (workspaceId, userId) =>
      (await source.user(workspaceId, userId))?.value.principal ?? null,
    openSession: source.openSession,
    closeSession: source.closeSession,
    noteSignIn: source.noteSignIn,
    invalidate: forget,
  };
}

interface ParsedKey {
  prefix: string;
  hash: string;
}

function createKeyReader(secretKey: string): (secret: string) => ParsedKey | null {
  const parsedKeys = createCache<string, ParsedKey>({ entries: limits.identity.entries });
  return (secret) => {
    const cachedCaller = parsedKeys.get(secret);
    if (cachedCaller) return cachedCaller;
    const prefix = parseKeyPrefix(secret);
    return prefix === null
      ? null
      : parsedKeys.getOrCreate(secret, () => ({ prefix, hash: computeKeyedHash(secretKey, secret) }));
  };
}

function createUserAuthenticator(
  byPassword: Identity['byUser'],
  keyOwner: (secret: string) => Promise<Caller | null> | null,
): Identity['byUser'] {
  return async (slug, match, secret, attempt) => {
    // Keys cannot be guessed, so a wrong key is not counted as an attempt, and a valid key works during another
    // client's cooldown.
    const owner = keyOwner(secret);
    return owner ? matchUser(await owner, slug, match) : byPassword(slug, match, secret, attempt);
  };
}

function matchUser(caller: Caller | null, slug: string, match: UserMatch): Caller | null {
  if (caller?.principal.kind !== 'user' || caller.principal.agentKey || caller.workspace.slug !== slug)
    return null;
  const { userId, login } = caller.principal;
  return (match.login === undefined ? userId === match.uid : login === match.login) ? caller : null;
}

const MINUTE_MS = 60_000;
const FLUSH_DELAY_MS = 1_000;
const MAX_ENTRIES = 10_000;

/**
 * Records the use of keys or sessions in batches, at most once a minute for each. Requests do not wait for it. Failed
 * writes are dropped, because a later use is recorded again.
 */
function createUseRecorder(
  write: (callers: Caller[]) => Promise<void>,
  idOf: (caller: Caller) => number | string | null,
): (caller: Caller) => void {
  const recordedUses = createCache<string, true>({ age: MINUTE_MS, entries: MAX_ENTRIES });
  let waitingCallers: Caller[] = [];
  const writeAll = () => {
    const callers = waitingCallers;
    waitingCallers = [];
    write(callers).catch(() => undefined);
  };
  return (caller) => {
    const id = idOf(caller);
    const key = `${caller.workspace.id} ${id}`;
    if (id === null || recordedUses.get(key)) return;
    recordedUses.set(key, true);
    if (waitingCallers.push(caller) === 1) setTimeout(writeAll, FLUSH_DELAY_MS).unref();
  };
}
