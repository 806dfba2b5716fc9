import { createCache, createLoadingCache } from '../../cache.ts';
import type { Config } from '../../config.ts';
import { NEWS } from '../../db/news.ts';
import type { Database } from '../../db/pool.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Catalogs } from '../ctx/catalog.ts';
import type { IdentitySource } from '../ctx/product.ts';
import type { Caller, Identity, Match } from '../ctx/runtime.ts';
import type { Workspace } from '../ctx/workspace.ts';
import { keyedHash, prefixOf, workspaceOfToken } from '../value/keys.ts';
import { createByPassword } from './password.ts';
import { createByToken } from './token.ts';

/**
 * Recognises callers. Answers are kept in memory only while the database can notify us of changes (src/db/news.ts), so
 * a revoked key is dead at once on every process.
 */
export async function createIdentity(
  db: Database,
  { secretKey, passwordCost }: Pick<Config, 'secretKey' | 'passwordCost'>,
  catalogs: Catalogs,
  source: IdentitySource,
): Promise<Identity> {
  const bounds = { age: limits.identity.age, entries: limits.identity.entries };
  const callers = createLoadingCache<string, Caller>(bounds);
  const workspaces = createLoadingCache<string, Workspace>(bounds);
  const tokens = createByToken(secretKey, source);
  const read = createKeyReader(secretKey);
  const byPassword = createByPassword({ db, source, secretKey, cost: passwordCost, callers });
  const forget = (workspaceId?: number) => {
    byPassword.forget(workspaceId);
    callers.forget(workspaceId ? ({ workspace }) => workspace.id === workspaceId : undefined);
    tokens.forget(workspaceId);
    workspaces.forget(workspaceId ? (workspace) => workspace.id === workspaceId : undefined);
    catalogs.forget(workspaceId);
  };
  db.onListening((up) => {
    callers.keep(up);
    tokens.keep(up);
    workspaces.keep(up);
    catalogs.keep(up);
  });
  // The payload is the workspace in which something has changed; none stands for all.
  await db.listen(NEWS, (payload) => forget(Number(payload)));
  const used = createUse(source.noteKeyUse, ({ principal }) => principal.keyId);
  const sessionUsed = createUse(source.noteSessionUse, ({ principal }) => principal.session);
  const ofKey = async ({ prefix, hash }: ReadKey) => {
    const caller = await callers.get(hash, () => source.key(prefix, hash));
    if (caller) used(caller);
    return caller;
  };
  const keyOwner = (secret: string) => {
    const key = read(secret);
    return key && ofKey(key);
  };
  return {
    byKey: async (secret) => keyOwner(secret),
    byUser: createByUser(byPassword.byUser, keyOwner),
    ownerOf: async (key) => {
      const prefix = prefixOf(key);
      const owner = prefix === null ? null : await source.keyOwner(prefix);
      const workspace = owner && (await workspaces.get(owner.slug, () => source.workspace(owner.slug)));
      return workspace && { workspace, userId: owner.userId };
    },
    bySession: async (token) => {
      const hash = keyedHash(secretKey, token);
      const caller = await callers.get(`session ${hash}`, () =>
        source.session(hash, workspaceOfToken(token)),
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
    forget,
  };
}

/** A key as it is looked up. */
interface ReadKey {
  prefix: string;
  hash: string;
}

/** Reads keys, null for what has not the form of one; those that come again are known. */
function createKeyReader(secretKey: string): (secret: string) => ReadKey | null {
  const known = createCache<string, ReadKey>({ entries: limits.identity.entries });
  return (secret) => {
    const kept = known.get(secret);
    if (kept) return kept;
    const prefix = prefixOf(secret);
    return prefix === null
      ? null
      : known.remember(secret, () => ({ prefix, hash: keyedHash(secretKey, secret) }));
  };
}

/** Recognises a user of a workspace by key or password. */
function createByUser(
  byPassword: Identity['byUser'],
  keyOwner: (secret: string) => Promise<Caller | null> | null,
): Identity['byUser'] {
  return async (slug, match, secret, attempt) => {
    // A key cannot be guessed, so a wrong one is no attempt, and a right one is let in beside somebody else's attempts.
    const owner = keyOwner(secret);
    return owner ? isUser(await owner, slug, match) : byPassword(slug, match, secret, attempt);
  };
}

function isUser(caller: Caller | null, slug: string, match: Match): Caller | null {
  if (caller?.principal.kind !== 'user' || caller.principal.agentKey || caller.workspace.slug !== slug)
    return null;
  const { userId, login } = caller.principal;
  return (match.login === undefined ? userId === match.uid : login === match.login) ? caller : null;
}

/** @throws ACCESS_DENIED, the same for an unknown login and a wrong secret */
export function required(caller: Caller | null): Caller {
  if (!caller) throw errors.accessDenied();
  return caller;
}

const MINUTE = 60_000;
const GATHER = 1_000;
const ENTRIES = 10_000;

/**
 * Notes that keys or sessions are used: once a minute for each, together for all, and no request waits for it. What
 * cannot be written is left out; the next minute records it again.
 */
function createUse(
  write: (callers: Caller[]) => Promise<void>,
  idOf: (caller: Caller) => number | string | null,
): (caller: Caller) => void {
  const noted = createCache<string, true>({ age: MINUTE, entries: ENTRIES });
  let waiting: Caller[] = [];
  const writeAll = () => {
    const callers = waiting;
    waiting = [];
    write(callers).catch(() => undefined);
  };
  return (caller) => {
    const id = idOf(caller);
    const key = `${caller.workspace.id} ${id}`;
    if (id === null || noted.get(key)) return;
    noted.set(key, true);
    if (waiting.push(caller) === 1) setTimeout(writeAll, GATHER).unref();
  };
}
