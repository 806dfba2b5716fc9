import type { LoadedValue } from '../../cache.ts';
import type { Database } from '../../db/pool.ts';
import type { CatalogCache, CatalogLoader, Provisioning } from './catalog.ts';
import type { Caller, Identity, OAuthStore, ProductSchema, Runtime, UserMatch } from './runtime.ts';
import type { Workspace } from './workspace.ts';

/** The product's entry points for the engine, provided by `schema/index.ts`. */
export interface Product extends ProductSchema {
  loadCatalog: CatalogLoader;
  identitySource(db: Database, catalogs: CatalogCache): IdentitySource;
  /** Updates the stored metadata of models defined in code, and returns the workspace provisioning. */
  equipment(runtime: Runtime): Promise<Provisioning>;
}

export interface SignInCandidate {
  workspaceId: number;
  userId: number;
  password: string | null;
  load(): Promise<LoadedValue<Caller>>;
}

/** Uncached access to users, keys and sessions. Lookups return null for an invalid credential. */
export interface IdentitySource
  extends Pick<Identity, 'openSession' | 'closeSession' | 'noteSignIn' | 'connectAgent'> {
  key(prefix: string, hash: string): Promise<LoadedValue<Caller> | null>;
  candidate(slug: string, match: UserMatch): Promise<SignInCandidate | null>;
  /** Replaces a password hash unless the password has changed since the hash was read. */
  rehash(workspaceId: number, userId: number, from: string, to: string): Promise<void>;
  /** Finds the owner of the current or former key with this prefix. */
  keyOwner(prefix: string): Promise<{ slug: string; userId: number | null } | null>;
  /** @param workspaceId id encoded in the token; null if the token contains none */
  session(hash: string, workspaceId: number | null): Promise<LoadedValue<Caller> | null>;
  token(workspaceId: number, hash: string): Promise<LoadedValue<EncryptedToken> | null>;
  user(workspaceId: number, userId: number): Promise<LoadedValue<Caller> | null>;
  workspace(slug: string): Promise<LoadedValue<Workspace> | null>;
  slugs(limit: number): Promise<string[]>;
  oauth(secretKey: string, workspaceId: number): OAuthStore;
  noteKeyUse(callers: Caller[]): Promise<void>;
  noteSessionUse(callers: Caller[]): Promise<void>;
  noteAgentUse(uses: AgentUse[]): Promise<void>;
}

export interface EncryptedToken {
  caller: Caller;
  sealed: string;
}

/** Calls by an agent that have not been recorded yet. */
export interface AgentUse {
  workspaceId: number;
  agentId: number;
  calls: number;
}
