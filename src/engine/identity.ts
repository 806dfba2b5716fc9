import type { Database } from '../db/pool.ts';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Principal, Workspace } from './ctx.ts';
import { checkPassword, keyedHash, prefixOf, sameHash } from './keys.ts';
import { createThrottle } from './throttle.ts';

/** A caller that has been recognised. */
export interface Caller {
  workspace: Workspace;
  principal: Principal;
}

export interface Identity {
  /** @returns null when the key is unknown, revoked, expired or its owner is not active */
  byKey(key: string): Promise<Caller | null>;
  /** `secret` is one of the user's keys or the password. `source` is what failures are counted by. */
  byLogin(slug: string, login: string, secret: string, source: string): Promise<Caller | null>;
  /** As classic RPC does on each call: the number authenticate gave, with the same secret. */
  byUid(slug: string, uid: number, secret: string, source: string): Promise<Caller | null>;
  bySession(token: string): Promise<Caller | null>;
  byUserId(workspaceId: number, userId: number): Promise<Caller | null>;
  workspace(slug: string): Promise<Workspace | null>;
  /** Forgets what is known, in this process at once; other processes hear of it from the database. */
  forget(): void;
}

interface Entry {
  caller: Caller;
  expires: number;
}

/** No entry outlives this, whatever happens to the notifications. */
const MAX_AGE = 30_000;
const MAX_ENTRIES = 10_000;

/**
 * Recognises callers. Answers are kept in memory only while the database can tell us of changes
 * (triggers notify `atrium_identity`), so a revoked key is dead at once on every process.
 */
export async function createIdentity(db: Database, secretKey: string): Promise<Identity> {
  const cache = new Map<string, Entry>();
  const workspaces = new Map<string, Workspace>();
  const throttle = createThrottle(limits.loginFailures, limits.loginPause);
  let listening = false;
  const forget = () => {
    cache.clear();
    workspaces.clear();
    epoch++;
  };
  let epoch = 0;
  db.onListening((up) => {
    listening = up;
    forget();
  });
  await db.listen('atrium_identity', forget);

  async function remember(key: string, load: () => Promise<Loaded | null>): Promise<Caller | null> {
    const known = cache.get(key);
    if (known && known.expires > Date.now()) return known.caller;
    const started = epoch;
    const loaded = await load();
    if (!loaded) return null;
    if (listening && started === epoch) {
      if (cache.size >= MAX_ENTRIES) cache.clear();
      cache.set(key, { caller: loaded.caller, expires: Math.min(Date.now() + MAX_AGE, loaded.expires) });
    }
    return loaded.caller;
  }

  const byKey = async (key: string): Promise<Caller | null> => {
    const prefix = prefixOf(key);
    if (!prefix) return null;
    const hash = keyedHash(secretKey, key);
    return remember(hash, () => loadKey(db, prefix, hash));
  };

  async function byUser(
    slug: string,
    match: { login?: string; uid?: number },
    secret: string,
    source: string,
  ): Promise<Caller | null> {
    const wanted = (caller: Caller | null) =>
      caller?.principal.kind === 'user' &&
      caller.workspace.slug === slug &&
      (match.login === undefined
        ? caller.principal.userId === match.uid
        : caller.principal.login === match.login)
        ? caller
        : null;
    // A key cannot be guessed, so a wrong one is no attempt, and a right one is let in beside somebody else's attempts.
    if (prefixOf(secret)) return wanted(await byKey(secret));
    throttle.check(source);
    const key = `password ${slug} ${match.uid ?? ''} ${match.login ?? ''} ${keyedHash(secretKey, secret)}`;
    return throttle.count(source, await remember(key, () => loadPassword(db, slug, match, secret)));
  }

  return {
    byKey,
    byLogin: (slug, login, secret, source) => byUser(slug, { login }, secret, source),
    byUid: (slug, uid, secret, source) => byUser(slug, { uid }, secret, source),
    bySession: (token) => {
      const hash = keyedHash(secretKey, token);
      return remember(`session ${hash}`, () => loadSession(db, hash));
    },
    byUserId: (workspaceId, userId) =>
      remember(`user ${workspaceId} ${userId}`, () => loadUser(db, workspaceId, userId)),
    workspace: async (slug) => {
      const known = workspaces.get(slug);
      if (known && listening) return known;
      const [row] = await db.rows<WorkspaceRow>(
        'select id, slug, name, features from workspace where slug = $1',
        [slug],
      );
      if (!row) return null;
      const workspace = workspaceOf(row);
      if (listening) workspaces.set(slug, workspace);
      return workspace;
    },
    forget,
  };
}

/** @throws ACCESS_DENIED with nothing that tells an unknown login from a wrong secret */
export function required(caller: Caller | null): Caller {
  if (!caller) throw errors.accessDenied();
  return caller;
}

interface Loaded {
  caller: Caller;
  /** Milliseconds since 1970. */
  expires: number;
}

interface WorkspaceRow {
  id: number;
  slug: string;
  name: string;
  features: string[];
}

interface KeyRow extends WorkspaceRow {
  key_id: number;
  hash: string;
  user_id: number | null;
  key_name: string;
  scopes: string[];
  expires: number | null;
}

interface UserRow extends WorkspaceRow {
  user_id: number;
  login: string;
  user_name: string;
  partner_id: number;
  company_id: number;
  companies: number[];
  groups: string[];
  lang: string | null;
  tz: string | null;
  password: string | null;
}

const workspaceOf = (row: WorkspaceRow): Workspace => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  features: new Set(row.features),
});

async function loadKey(db: Database, prefix: string, hash: string): Promise<Loaded | null> {
  const rows = await db.rows<KeyRow>(
    `select w.id, w.slug, w.name, w.features, k.id as key_id, k.hash, k.user_id, k.name as key_name, k.scopes,
            (extract(epoch from k.expires_at) * 1000)::float8 as expires
     from svc_api_key k join workspace w on w.id = k.workspace_id
     where k.prefix = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [prefix],
  );
  const key = rows.find((row) => sameHash(row.hash, hash));
  if (!key) return null;
  const expires = key.expires ?? Number.POSITIVE_INFINITY;
  const scopes = key.scopes.length ? key.scopes : null;
  if (key.user_id === null)
    return { caller: { workspace: workspaceOf(key), principal: teamPrincipal(key, scopes) }, expires };
  const user = await loadUser(db, key.id, key.user_id);
  if (!user) return null;
  return {
    caller: { ...user.caller, principal: { ...user.caller.principal, keyId: key.key_id, scopes } },
    expires,
  };
}

function teamPrincipal(key: KeyRow, scopes: string[] | null): Principal {
  return {
    kind: 'workspace',
    userId: null,
    login: key.slug,
    name: key.key_name,
    groups: new Set(),
    companyId: null,
    companyIds: [],
    partnerId: null,
    lang: 'en_US',
    tz: 'UTC',
    keyId: key.key_id,
    scopes,
  };
}

const USER = `
  select w.id, w.slug, w.name, w.features, u.id as user_id, u.login, p.name as user_name, u.partner_id, u.company_id, u.lang, u.tz, u.password,
         array(select cid from res_company_users_rel r where r.workspace_id = u.workspace_id and r.user_id = u.id) as companies,
         array(
           with recursive mine(gid) as (
             select gid from res_groups_users_rel r where r.workspace_id = u.workspace_id and r.uid = u.id
             union
             select i.hid from res_groups_implied_rel i join mine on i.gid = mine.gid where i.workspace_id = u.workspace_id
           )
           select coalesce(g.external_id, 'group.' || g.id) from mine join res_groups g on g.workspace_id = u.workspace_id and g.id = mine.gid
         ) as groups
  from res_users u
  join workspace w on w.id = u.workspace_id
  join res_partner p on p.workspace_id = u.workspace_id and p.id = u.partner_id
  where u.active`;

async function loadUser(db: Database, workspaceId: number, userId: number): Promise<Loaded | null> {
  const [row] = await db.rows<UserRow>(`${USER} and u.workspace_id = $1 and u.id = $2`, [
    workspaceId,
    userId,
  ]);
  return row ? loadedUser(row) : null;
}

async function loadPassword(
  db: Database,
  slug: string,
  match: { login?: string; uid?: number },
  password: string,
): Promise<Loaded | null> {
  const [row] = await db.rows<UserRow>(
    `${USER} and w.slug = $1 and ($2::text is null or u.login = $2) and ($3::int is null or u.id = $3)`,
    [slug, match.login ?? null, match.uid ?? null],
  );
  return (await checkPassword(password, row?.password ?? null)) ? loadedUser(row!) : null;
}

async function loadSession(db: Database, hash: string): Promise<Loaded | null> {
  const [session] = await db.rows<{ workspace_id: number; user_id: number; expires: number }>(
    `select workspace_id, user_id, (extract(epoch from expires_at) * 1000)::float8 as expires from svc_session where hash = $1 and expires_at > now()`,
    [hash],
  );
  if (!session) return null;
  const user = await loadUser(db, session.workspace_id, session.user_id);
  return user && { caller: user.caller, expires: session.expires };
}

function loadedUser(row: UserRow): Loaded {
  const principal: Principal = {
    kind: 'user',
    userId: row.user_id,
    login: row.login,
    name: row.user_name,
    groups: new Set(row.groups),
    companyId: row.company_id,
    companyIds: row.companies,
    partnerId: row.partner_id,
    lang: row.lang ?? 'en_US',
    tz: row.tz ?? 'UTC',
    keyId: null,
    scopes: null,
  };
  return { caller: { workspace: workspaceOf(row), principal }, expires: Number.POSITIVE_INFINITY };
}
