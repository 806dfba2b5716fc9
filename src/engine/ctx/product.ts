import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Loaded } from '../../cache.ts';
import type { Database } from '../../db/pool.ts';
import type { Registry } from '../model/model.ts';
import type { RawJson } from '../value/raw-json.ts';
import type { Catalogs, Equipment, LoadCatalog } from './catalog.ts';
import type { Caller, Identity, Match, OAuthRows, Runtime } from './runtime.ts';
import type { Workspace } from './workspace.ts';

/** What the product gives the engine: `schema/index.ts`. */
export interface Product {
  registry: Registry;
  schema: GraphQLSchema;
  /** The schema of a workspace that has this registry: with the models and fields it has added. */
  schemaOf(registry: Registry): GraphQLSchema;
  /** The `data` of an operation as JSON text, where that is quicker than resolving it; null where it is not. */
  answerText(args: ExecutionArgs): Promise<RawJson | null>;
  /** The result of a mutation that needs no executor; null where it does. */
  answerChange(args: ExecutionArgs): Promise<ExecutionResult> | null;
  loadCatalog: LoadCatalog;
  /** A workspace comes with its catalog, from `catalogs`. */
  identitySource(db: Database, catalogs: Catalogs): IdentitySource;
  /** Brings what the database says of the code's models up to date; gives what workspaces need of them. */
  equipment(runtime: Runtime): Promise<Equipment>;
}

/** A user who may be who signs in. */
export interface Candidate {
  workspaceId: number;
  userId: number;
  /** The hash that is stored. */
  password: string | null;
  load(): Promise<Loaded<Caller>>;
}

/** Users, keys and sessions in the database, asked each time; null is the answer to all that is wrong. */
export interface IdentitySource
  extends Pick<Identity, 'openSession' | 'closeSession' | 'noteSignIn' | 'connectAgent'> {
  key(prefix: string, hash: string): Promise<Loaded<Caller> | null>;
  candidate(slug: string, match: Match): Promise<Candidate | null>;
  /** Replaces the hash of a password, unless it has been changed. */
  rehash(workspaceId: number, userId: number, from: string, to: string): Promise<void>;
  /** Whose key had or has this prefix. */
  keyOwner(prefix: string): Promise<{ slug: string; userId: number | null } | null>;
  /** @param workspaceId the workspace that the token says, if any */
  session(hash: string, workspaceId: number | null): Promise<Loaded<Caller> | null>;
  /** The agent behind an access token, and what the authorization server has sealed of the token. */
  token(workspaceId: number, hash: string): Promise<Loaded<SealedToken> | null>;
  user(workspaceId: number, userId: number): Promise<Loaded<Caller> | null>;
  workspace(slug: string): Promise<Loaded<Workspace> | null>;
  /** The first slugs in their order, at most so many. */
  slugs(most: number): Promise<string[]>;
  oauth(secretKey: string, workspaceId: number): OAuthRows;
  /** Notes that the callers' keys are used. */
  noteKeyUse(callers: Caller[]): Promise<void>;
  /** Notes that the callers' sessions are used. */
  noteSessionUse(callers: Caller[]): Promise<void>;
  /** Adds calls to those of agents. */
  noteAgentUse(uses: AgentUse[]): Promise<void>;
}

export interface SealedToken {
  caller: Caller;
  sealed: string;
}

/** Calls of an agent that are not noted yet. */
export interface AgentUse {
  workspaceId: number;
  agentId: number;
  calls: number;
}
