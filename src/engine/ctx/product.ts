import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { LoadedValue } from '../../cache.ts';
import type { Database } from '../../db/pool.ts';
import type { Registry } from '../model/model.ts';
import type { RawJson } from '../value/raw-json.ts';
import type { CatalogCache, LoadCatalog, Provisioning } from './catalog.ts';
import type { Caller, Identity, OAuthStore, Runtime, UserMatch } from './runtime.ts';
import type { Workspace } from './workspace.ts';

/** What the product gives the engine: `schema/index.ts`. */
export interface Product {
  registry: Registry;
  schema: GraphQLSchema;
  /** The schema of a workspace that has this registry: with the models and fields it has added. */
  getSchema(registry: Registry): GraphQLSchema;
  /** The `data` of an operation as JSON text, where that is quicker than resolving it; null where it is not. */
  executeToText(args: ExecutionArgs): Promise<RawJson | null>;
  /** The result of a mutation that needs no executor; null where it does. */
  executeChange(args: ExecutionArgs): Promise<ExecutionResult> | null;
  loadCatalog: LoadCatalog;
  /** A workspace comes with its catalog, from `catalogs`. */
  identitySource(db: Database, catalogs: CatalogCache): IdentitySource;
  /** Brings what the database says of the code's models up to date; gives what workspaces need of them. */
  equipment(runtime: Runtime): Promise<Provisioning>;
}

/** A user who may be who signs in. */
export interface SignInCandidate {
  workspaceId: number;
  userId: number;
  /** The hash that is stored. */
  password: string | null;
  load(): Promise<LoadedValue<Caller>>;
}

/** Users, keys and sessions in the database, asked each time; null is the answer to all that is wrong. */
export interface IdentitySource
  extends Pick<Identity, 'openSession' | 'closeSession' | 'noteSignIn' | 'connectAgent'> {
  key(prefix: string, hash: string): Promise<LoadedValue<Caller> | null>;
  candidate(slug: string, match: UserMatch): Promise<SignInCandidate | null>;
  /** Replaces the hash of a password, unless it has been changed. */
  rehash(workspaceId: number, userId: number, from: string, to: string): Promise<void>;
  /** Whose key had or has this prefix. */
  keyOwner(prefix: string): Promise<{ slug: string; userId: number | null } | null>;
  /** @param workspaceId the workspace that the token says, if any */
  session(hash: string, workspaceId: number | null): Promise<LoadedValue<Caller> | null>;
  /** The agent behind an access token, and what the authorization server has sealed of the token. */
  token(workspaceId: number, hash: string): Promise<LoadedValue<EncryptedToken> | null>;
  user(workspaceId: number, userId: number): Promise<LoadedValue<Caller> | null>;
  workspace(slug: string): Promise<LoadedValue<Workspace> | null>;
  /** The first slugs in their order, at most so many. */
  slugs(most: number): Promise<string[]>;
  oauth(secretKey: string, workspaceId: number): OAuthStore;
  /** Notes that the callers' keys are used. */
  noteKeyUse(callers: Caller[]): Promise<void>;
  /** Notes that the callers' sessions are used. */
  noteSessionUse(callers: Caller[]): Promise<void>;
  /** Adds calls to those of agents. */
  noteAgentUse(uses: AgentUse[]): Promise<void>;
}

export interface EncryptedToken {
  caller: Caller;
  sealed: string;
}

/** Calls of an agent that are not noted yet. */
export interface AgentUse {
  workspaceId: number;
  agentId: number;
  calls: number;
}
