import type { Database } from '../db/pool.ts';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Principal, Workspace } from './ctx.ts';
import { checkPassword, keyedHash, prefixOf, sameHash } from './keys.ts';
import { createKnown, type Known, type Loaded } from './known.ts';
import { memberships } from './memberships.ts';
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
  workspace(slug: string): Promise<Workspace | null>;
  /** Forgets what is known, in this process at once; other processes hear of it from the database. */
  forget(): void;
}

/**
 * Recognises callers. Answers are kept in memory only while the database can tell us of changes
 * (triggers notify `atrium_identity`), so a revoked key is dead at once on every process.
 */
export async function createIdentity(db: Database, secretKey: string): Promise<Identity> {
  const callers = createKnown<Caller>(limits.identityAge, limits.identityEntries);
  const workspaces = createKnown<Workspace>(limits.identityAge, limits.identityEntries);
  const forget = () => {
    callers.forget();
    workspaces.forget();
  };
  db.onListening((up) => {
    callers.keep(up);
    workspaces.keep(up);
  });
  await db.listen('atrium_identity', forget);
  const byKey = async (key: string) => {
    const prefix = prefixOf(key);
    const hash = keyedHash(secretKey, key);
    return prefix ? callers.get(hash, () => loadKey(db, prefix, hash)) : null;
  };
  const byUser = createByUser(db, secretKey, callers, byKey);
  return {
    byKey,
    byLogin: (slug, login, secret, source) => byUser(slug, { login }, secret, source),
    byUid: (slug, uid, secret, source) => byUser(slug, { uid }, secret, source),
    bySession: (token) => {
      const hash = keyedHash(secretKey, token);
      return callers.get(`session ${hash}`, () => loadSession(db, hash));
    },
    workspace: (slug) => workspaces.get(slug, () => loadWorkspace(db, slug)),
    forget,
  };
}

interface Match {
  login?: string;
  uid?: number;
}

/** Recognises a user of a workspace by key or password; wrong passwords pause the address for that user. */
function createByUser(db: Database, secretKey: string, callers: Known<Caller>, byKey: Identity['byKey']) {
  const throttle = createThrottle(limits.loginFailures, limits.loginPause);
  return async (slug: string, match: Match, secret: string, source: string): Promise<Caller | null> => {
    // A key cannot be guessed, so a wrong one is no attempt, and a right one is let in beside somebody else's attempts.
    if (prefixOf(secret)) return isUser(await byKey(secret), slug, match);
    const who = `${slug} ${match.uid ?? ''} ${match.login ?? ''}`;
    const what = `${source} ${who}`;
    throttle.check(what);
    const caller = await callers.get(`password ${who} ${keyedHash(secretKey, secret)}`, () =>
      throttle.attempt(what, () => loadPassword(db, slug, match, secret)),
    );
    if (caller) throttle.wipe(what);
    return caller;
  };
}

function isUser(caller: Caller | null, slug: string, match: Match): Caller | null {
  if (caller?.principal.kind !== 'user' || caller.workspace.slug !== slug) return null;
  const { userId, login } = caller.principal;
  return (match.login === undefined ? userId === match.uid : login === match.login) ? caller : null;
}

/** @throws ACCESS_DENIED with nothing that tells an unknown login from a wrong secret */
export function required(caller: Caller | null): Caller {
  if (!caller) throw errors.accessDenied();
  return caller;
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

async function loadWorkspace(db: Database, slug: string): Promise<Loaded<Workspace> | null> {
  const [row] = await db.rows<WorkspaceRow>(
    'select id, slug, name, features from workspace where slug = $1',
    [slug],
  );
  return row ? { value: workspaceOf(row), expires: Number.POSITIVE_INFINITY } : null;
}

async function loadKey(db: Database, prefix: string, hash: string): Promise<Loaded<Caller> | null> {
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
    return { value: { workspace: workspaceOf(key), principal: teamPrincipal(key, scopes) }, expires };
  const user = await loadUser(db, key.id, key.user_id);
  if (!user) return null;
  return {
    value: { ...user.value, principal: { ...user.value.principal, keyId: key.key_id, scopes } },
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
           select coalesce(g.external_id, 'group.' || g.id) from (${memberships('u.workspace_id', 'u.id')}) mine
           join res_groups g on g.workspace_id = u.workspace_id and g.id = mine.gid
         ) as groups
  from res_users u
  join workspace w on w.id = u.workspace_id
  join res_partner p on p.workspace_id = u.workspace_id and p.id = u.partner_id
  where u.active`;

async function loadUser(db: Database, workspaceId: number, userId: number): Promise<Loaded<Caller> | null> {
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
): Promise<Loaded<Caller> | null> {
  const [row] = await db.rows<UserRow>(
    `${USER} and w.slug = $1 and ($2::text is null or u.login = $2) and ($3::int is null or u.id = $3)`,
    [slug, match.login ?? null, match.uid ?? null],
  );
  return (await checkPassword(password, row?.password ?? null)) ? loadedUser(row!) : null;
}

async function loadSession(db: Database, hash: string): Promise<Loaded<Caller> | null> {
  const [session] = await db.rows<{ workspace_id: number; user_id: number; expires: number }>(
    `select workspace_id, user_id, (extract(epoch from expires_at) * 1000)::float8 as expires from svc_session where hash = $1 and expires_at > now()`,
    [hash],
  );
  if (!session) return null;
  const user = await loadUser(db, session.workspace_id, session.user_id);
  return user && { value: user.value, expires: session.expires };
}

function loadedUser(row: UserRow): Loaded<Caller> {
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
  return { value: { workspace: workspaceOf(row), principal }, expires: Number.POSITIVE_INFINITY };
}
