import type { LoadedValue } from '../../../src/cache.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { CatalogCache } from '../../../src/engine/ctx/catalog.ts';
import type { EncryptedToken, IdentitySource, SignInCandidate } from '../../../src/engine/ctx/product.ts';
import type { Caller, UserMatch } from '../../../src/engine/ctx/runtime.ts';
import type { Workspace } from '../../../src/engine/ctx/workspace.ts';
import {
  type Agent,
  type AgentKey,
  createWorkspacePrincipal,
  type Principal,
} from '../../../src/engine/model/principal.ts';
import { isSameHash, parsePrefixWorkspace } from '../../../src/engine/value/keys.ts';
import { recordKeyUse } from '../keys/key-use.ts';
import { selectMemberships } from '../memberships.ts';
import { storeAgentConsent } from '../oauth/agent-connect.ts';
import { recordAgentUse } from '../oauth/agent-use.ts';
import { createOAuthStore } from '../oauth/rows.ts';
import { closeSession, openSession, recordSessionUse, recordSignIn } from './session.ts';

export const createIdentitySource = (db: Database, catalogs: CatalogCache): IdentitySource => ({
  key: (prefix, hash) => loadKey(db, catalogs, prefix, hash),
  candidate: (slug, match) => loadCandidate(db, catalogs, slug, match),
  rehash: (workspaceId, userId, from, to) => replacePasswordHash(db, workspaceId, userId, from, to),
  keyOwner: (prefix) => loadKeyOwner(db, prefix),
  session: (hash, workspaceId) => loadSession(db, catalogs, hash, workspaceId),
  token: (workspaceId, hash) => loadToken(db, catalogs, workspaceId, hash),
  user: (workspaceId, userId) => loadUser(db, catalogs, workspaceId, userId),
  workspace: (slug) => loadWorkspace(db, catalogs, slug),
  slugs: async (limit) => {
    const rows = await db.rows<{ slug: string }>(
      sql`select w.slug from workspace w where ${IS_OPEN_WORKSPACE} order by w.slug limit ${limit}`,
    );
    return rows.map(({ slug }) => slug);
  },
  noteKeyUse: (callers) => recordKeyUse(db, callers),
  oauth: (secretKey, workspaceId) => createOAuthStore(db, secretKey, workspaceId),
  connectAgent: storeAgentConsent,
  noteSessionUse: (callers) => recordSessionUse(db, callers),
  noteAgentUse: (uses) => recordAgentUse(db, uses),
  openSession,
  closeSession,
  noteSignIn: recordSignIn,
});

interface WorkspaceRow {
  id: number;
  slug: string;
  name: string;
  features: string[];
}

interface KeyRow extends WorkspaceRow {
  key_id: number;
  /** The key that replaced this one, or the key itself. Both act as the same agent. */
  agent_key_id: number;
  hash: string;
  user_id: number | null;
  key_name: string;
  scopes: string[];
  domain_id: number | null;
  expires: number | null;
  tool_groups: string[];
  has_budget: boolean;
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

const toWorkspace = async (catalogs: CatalogCache, row: WorkspaceRow): Promise<Workspace> => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  features: new Set(row.features),
  catalog: await catalogs.get(row.id),
});

async function loadWorkspace(
  db: Database,
  catalogs: CatalogCache,
  slug: string,
): Promise<LoadedValue<Workspace> | null> {
  const [row] = await db.rows<WorkspaceRow>(
    sql`select w.id, w.slug, w.name, w.features from workspace w where w.slug = ${slug} and ${IS_OPEN_WORKSPACE}`,
  );
  return row ? { value: await toWorkspace(catalogs, row) } : null;
}

/** A workspace that is being deleted or imported is treated as nonexistent. */
const IS_OPEN_WORKSPACE = sql`w.purge_at is null`;

/**
 * Searches the workspace encoded in the key first, then all others, because an imported key encodes its original
 * workspace.
 */
async function loadKey(
  db: Database,
  catalogs: CatalogCache,
  prefix: string,
  hash: string,
): Promise<LoadedValue<Caller> | null> {
  const workspaceId = parsePrefixWorkspace(prefix);
  const key =
    (workspaceId && (await findKeyInWorkspace(db, workspaceId, prefix, hash))) ||
    (await findKeyAnywhere(db, prefix, hash));
  if (!key) return null;
  const expires = key.expires ?? Number.POSITIVE_INFINITY;
  const scopes = key.scopes.length ? key.scopes : null;
  if (key.user_id === null)
    return {
      value: { workspace: await toWorkspace(catalogs, key), principal: buildTeamPrincipal(key, scopes) },
      expires,
    };
  const user = await loadUser(db, catalogs, key.id, key.user_id);
  if (!user) return null;
  const agent: Agent = { kind: 'key', id: key.agent_key_id, clientName: key.key_name };
  const principal = { ...user.value.principal, keyId: key.key_id, scopes, agent, agentKey: toAgentKey(key) };
  return { value: { ...user.value, principal }, expires };
}

/**
 * Returns an agent key's limits, or null for an ordinary key. A facade that does not enforce them must reject the key.
 */
function toAgentKey({ tool_groups: groups, has_budget: hasBudget }: KeyRow): AgentKey | null {
  if (groups.length > 0) return { groups };
  return hasBudget ? { groups: null } : null;
}

async function findKeyInWorkspace(
  db: Database,
  workspaceId: number,
  prefix: string,
  hash: string,
): Promise<KeyRow | undefined> {
  const workspace = sql.param(workspaceId);
  const rows = await db.rows<KeyRow>(
    sql`select w.id, w.slug, w.name, w.features, k.id as key_id, coalesce(k.replaced_by, k.id) as agent_key_id, k.hash,
            k.user_id, k.name as key_name, k.scopes, k.domain_id, coalesce(k.tool_groups, '{}') as tool_groups,
            num_nonnulls(k.calls_per_day, k.sends_per_day, k.changes_per_day) > 0 as has_budget,
            (extract(epoch from k.expires_at) * 1000)::float8 as expires
     from svc_api_key k join workspace w on w.id = ${workspace} and ${IS_OPEN_WORKSPACE}
     where k.workspace_id = ${workspace} and k.prefix = ${prefix} and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > now())
       and (k.domain_id is null
         or exists (select 1 from svc_domain d where d.workspace_id = ${workspace} and d.id = k.domain_id))`,
  );
  return rows.find((row) => isSameHash(row.hash, hash));
}

async function findKeyAnywhere(db: Database, prefix: string, hash: string): Promise<KeyRow | undefined> {
  const rows = await db.rows<{ workspace_id: number; hash: string }>(
    sql`select workspace_id, hash from svc_api_key where prefix = ${prefix} and revoked_at is null
     limit ${sql.literal(MAX_KEYS_PER_PREFIX)}`,
  );
  const key = rows.find((row) => isSameHash(row.hash, hash));
  return key && findKeyInWorkspace(db, key.workspace_id, prefix, hash);
}

/** Prefixes contain ten random characters, so duplicates are practically impossible. */
const MAX_KEYS_PER_PREFIX = 10;

const buildTeamPrincipal = (key: KeyRow, scopes: string[] | null): Principal => ({
  ...createWorkspacePrincipal(key.slug, key.key_name),
  keyId: key.key_id,
  scopes,
  domainId: key.domain_id,
});

function buildUserQuery(workspaceId: number, condition: Sql): Sql {
  const workspace = sql.param(workspaceId);
  return sql`select w.id, w.slug, w.name, w.features, u.id as user_id, u.login, p.name as user_name, u.partner_id,
         u.company_id, u.lang, u.tz, u.password,
         array(
           select cid from res_company_users_rel r where r.workspace_id = ${workspace} and r.user_id = u.id
         ) as companies,
         array(
           select coalesce(g.external_id, 'group.' || g.id)
           from (${selectMemberships(workspace, sql`u.id`)}) mine
           join res_groups g on g.workspace_id = ${workspace} and g.id = mine.gid
         ) as groups
  from res_users u
  join workspace w on w.id = ${workspace} and ${IS_OPEN_WORKSPACE}
  join res_partner p on p.workspace_id = ${workspace} and p.id = u.partner_id
  where u.workspace_id = ${workspace} and u.active and ${condition}`;
}

async function loadUser(
  db: Database,
  catalogs: CatalogCache,
  workspaceId: number,
  userId: number,
): Promise<LoadedValue<Caller> | null> {
  const [row] = await db.rows<UserRow>(buildUserQuery(workspaceId, sql`u.id = ${userId}`));
  return row ? buildLoadedUser(catalogs, row) : null;
}

async function loadCandidate(
  db: Database,
  catalogs: CatalogCache,
  slug: string,
  { login, uid }: UserMatch,
): Promise<SignInCandidate | null> {
  const [workspace] = await db.rows<{ id: number }>(sql`select id from workspace where slug = ${slug}`);
  if (!workspace) return null;
  const byLogin = login === undefined ? sql.empty : sql`and u.login = ${login}`;
  const byUid = uid === undefined ? sql.empty : sql`and u.id = ${uid}`;
  const [row] = await db.rows<UserRow>(buildUserQuery(workspace.id, sql`true ${byLogin} ${byUid}`));
  if (!row) return null;
  const { id, user_id, password } = row;
  return { workspaceId: id, userId: user_id, password, load: () => buildLoadedUser(catalogs, row) };
}

async function replacePasswordHash(
  db: Database,
  workspaceId: number,
  userId: number,
  from: string,
  to: string,
): Promise<void> {
  await db.rows(
    sql`update res_users set password = ${to}
      where workspace_id = ${workspaceId} and id = ${userId} and password = ${from}`,
  );
}

async function loadKeyOwner(
  db: Database,
  prefix: string,
): Promise<{ slug: string; userId: number | null } | null> {
  const workspaceId = parsePrefixWorkspace(prefix);
  const selectOwner = (condition: Sql) =>
    db.rows<{ slug: string; user_id: number | null }>(
      sql`select w.slug, k.user_id from svc_api_key k join workspace w on w.id = k.workspace_id
        where ${condition} and k.prefix = ${prefix} limit 1`,
    );
  const [row] = (workspaceId && (await selectOwner(sql`k.workspace_id = ${workspaceId}`))) || [];
  const [ownerRow] = row ? [row] : await selectOwner(sql`true`);
  return ownerRow ? { slug: ownerRow.slug, userId: ownerRow.user_id } : null;
}

async function loadSession(
  db: Database,
  catalogs: CatalogCache,
  hash: string,
  workspaceId: number | null,
): Promise<LoadedValue<Caller> | null> {
  const session = workspaceId && (await findSession(db, workspaceId, hash));
  if (!session) return null;
  const user = await loadUser(db, catalogs, session.workspace_id, session.user_id);
  if (!user) return null;
  const principal = { ...user.value.principal, keyId: session.key_id, session: hash };
  return { value: { ...user.value, principal }, expires: session.expires };
}

interface SessionRow {
  workspace_id: number;
  user_id: number;
  key_id: number | null;
  expires: number;
}

async function findSession(db: Database, workspaceId: number, hash: string): Promise<SessionRow | undefined> {
  const workspace = sql.param(workspaceId);
  const [session] = await db.rows<SessionRow>(
    sql`select s.workspace_id, s.user_id, s.key_id,
            (extract(epoch from least(s.expires_at, k.expires_at)) * 1000)::float8 as expires
     from svc_session s left join svc_api_key k on k.workspace_id = ${workspace} and k.id = s.key_id
     where s.workspace_id = ${workspace} and s.hash = ${hash} and s.expires_at > now()
       and (s.key_id is null or (k.revoked_at is null and (k.expires_at is null or k.expires_at > now())))`,
  );
  return session;
}

async function loadToken(
  db: Database,
  catalogs: CatalogCache,
  workspaceId: number,
  hash: string,
): Promise<LoadedValue<EncryptedToken> | null> {
  const workspace = sql.param(workspaceId);
  const [token] = await db.rows<TokenRow>(
    sql`select a.id, a.user_id, a.client_name, t.sealed,
            (extract(epoch from least(t.expires_at, a.expires_at)) * 1000)::float8 as expires
     from svc_oauth_payload t
     join svc_connected_agent a on a.workspace_id = ${workspace} and a.grant_hash = t.grant_hash
     where t.workspace_id = ${workspace} and t.kind = 'AccessToken' and t.hash = ${hash} and t.expires_at > now()
       and a.revoked_at is null and a.expires_at > now()`,
  );
  const user = token && (await loadUser(db, catalogs, workspaceId, token.user_id));
  if (!user) return null;
  const agent: Agent = { kind: 'oauth', id: token.id, clientName: token.client_name };
  const caller = { ...user.value, principal: { ...user.value.principal, agent } };
  return { value: { caller, sealed: token.sealed }, expires: token.expires };
}

interface TokenRow {
  id: number;
  user_id: number;
  client_name: string;
  sealed: string;
  expires: number;
}

async function buildLoadedUser(catalogs: CatalogCache, row: UserRow): Promise<LoadedValue<Caller>> {
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
    session: null,
    scopes: null,
    domainId: null,
    agentKey: null,
    agent: null,
  };
  return { value: { workspace: await toWorkspace(catalogs, row), principal } };
}
