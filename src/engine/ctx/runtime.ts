import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Counter, Histogram, Registry as PromRegistry } from 'prom-client';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/db.ts';
import type { Database } from '../../db/pool.ts';
import type { Registry } from '../model/model.ts';
import type { Principal } from '../model/principal.ts';
import type { RawJson } from '../value/raw-json.ts';
import type { CatalogCache } from './catalog.ts';
import type { Workspace } from './workspace.ts';

/** What one process holds for its whole life. */
export interface Runtime {
  config: Config;
  log: Logger;
  db: Database;
  registry: Registry;
  schema: GraphQLSchema;
  /** The schema of a workspace by its registry; `schema` where it has added nothing. */
  getSchema(registry: Registry): GraphQLSchema;
  /** The `data` of an operation as JSON text; null where it has to be executed. */
  executeToText(args: ExecutionArgs): Promise<RawJson | null>;
  /** The result of a mutation that needs no executor; null where it does. */
  executeChange(args: ExecutionArgs): Promise<ExecutionResult> | null;
  catalogs: CatalogCache;
  identity: Identity;
  jobs: Jobs;
  metrics: Metrics;
  /** Where the process stands; requests are wanted while it is running. */
  phase: 'starting' | 'running' | 'draining';
}

/** A caller that has been recognised. */
export interface Caller {
  workspace: Workspace;
  principal: Principal;
}

/** How a user of a workspace is named: as people do, or by the number that authenticate gave. */
export interface UserMatch {
  login?: string;
  uid?: number;
}

/** Somebody tries a password. */
export interface SignInAttempt {
  /** The address that failures are counted by. */
  source: string;
  /** Called for a wrong one, with what has been counted. */
  failed(counts: FailureCounts): Promise<void>;
}

/** Failures that count at present: of a user at a source, of the source, of the user, of the workspace. */
export type FailureCounts = Record<'pair' | 'source' | 'user' | 'all', { failures: number }>;

/** A caller with an access token, and the resource that the token is for. */
export interface TokenCaller extends Caller {
  audience: string;
}

/** Codes and tokens name the consent they come from. */
export type OAuthPayload = Record<string, unknown> & { grantId?: string };

/** What the authorization server of a workspace keeps. Ids are secrets (tokens, codes, cookies): hashes are stored. */
export interface OAuthStore {
  workspaceId: number;
  /** With `consumed`, in seconds since 1970, for what was used; null for what is not there or has expired. */
  find(kind: string, id: string): Promise<OAuthPayload | null>;
  put(kind: string, id: string, payload: OAuthPayload, seconds: number): Promise<void>;
  /** @returns false for what was used before, or is not there */
  consume(kind: string, id: string): Promise<boolean>;
  drop(kind: string, id: string): Promise<void>;
  /**
   * Drops a consent with the codes and tokens that come from it; its agent is revoked.
   * @returns the agent's id; null for one that was revoked before
   */
  revoke(grantId: string, within?: Db): Promise<number | null>;
  /** Whether the user lets this client act now. */
  isConnected(userId: number, clientId: string): Promise<boolean>;
  /** Keeps a client for so long at least: a sign-in has begun, or a user has consented. */
  prolong(clientId: string, seconds: number): Promise<void>;
  /**
   * Makes room for a client among those that no user has consented to, by dropping the oldest of them. One that was
   * registered or began a sign-in a moment ago stays.
   * @returns false if there is no room
   */
  makeRoom(): Promise<boolean>;
}

/** What a user has consented to. */
export interface Consent {
  /** The name by which the consent is found, which codes and tokens have too. */
  grantHash: string;
  clientId: string;
  /** The name the client gives itself. */
  clientName: string;
  redirectHost: string;
  /** `read`, `write`. */
  scopes: string[];
  seconds: number;
}

export interface Identity {
  /** @returns null when the key is unknown, revoked, expired or its owner is not active */
  byKey(key: string): Promise<Caller | null>;
  /**
   * `secret` is one of the user's keys or the password.
   * @throws ACCESS_DENIED while somebody has to wait after failures, BUSY when too many try
   */
  byUser(slug: string, match: UserMatch, secret: string, attempt: SignInAttempt): Promise<Caller | null>;
  /** Whose key it is, or was; null when there never was such a key. */
  findKeyOwner(key: string): Promise<{ workspace: Workspace; userId: number | null } | null>;
  bySession(token: string): Promise<Caller | null>;
  /**
   * The agent behind an access token of this workspace.
   * @returns null when the token is unknown, revoked or expired or the user is not active
   */
  byToken(workspaceId: number, token: string): Promise<TokenCaller | null>;
  /** What the authorization server of a workspace keeps. */
  oauth(workspaceId: number): OAuthStore;
  /** Notes that the caller lets a program act for it. */
  connectAgent(db: Db, caller: Caller, consent: Consent): Promise<void>;
  workspace(slug: string): Promise<Workspace | null>;
  /** The first slugs in their order, at most so many. */
  slugs(most: number): Promise<string[]>;
  /** Keeps a session of a user for as long as sessions live. */
  openSession(db: Db, caller: Caller, session: NewSession): Promise<void>;
  closeSession(db: Db, caller: Caller, hash: string): Promise<void>;
  /** Keeps note that a user has signed in, unless it was noted within the last `seconds`. */
  noteSignIn(db: Db, caller: Caller, seconds: number): Promise<void>;
  /** What an active user would call as. No caller has proved to be that user: only to look at rights with. */
  principal(workspaceId: number, userId: number): Promise<Principal | null>;
  /**
   * Forgets what is known of a workspace (of all without one), in this process at once; others hear of it from the
   * database.
   */
  invalidate(workspaceId?: number): void;
}

/** A session that begins. */
export interface NewSession {
  /** Of its token, which is not kept. */
  hash: string;
  /** The caller's address. */
  address: string;
  /** What the browser calls itself. Nothing proves it. */
  userAgent: string | null;
}

export interface Jobs {
  /** Connects; with `work` this process also runs the jobs. */
  start(work: boolean): Promise<void>;
  /** Puts a job into the transaction of `ctx`: it exists when, and only when, what it is about does. */
  enqueue({ db }: { db: Db }, name: string, data: object): Promise<void>;
  ready(): boolean;
  /** Lets running jobs end. */
  stop(): Promise<void>;
}

/** Metrics at `/metrics`. Times in seconds. */
export interface Metrics {
  registry: PromRegistry;
  /** Adds a figure of this process, read when `/metrics` is asked for; takes the place of one with its name. */
  watch(name: string, help: string, read: () => number): void;
  requests: Histogram<'door' | 'status'>;
  sent: Counter<'outcome'>;
}
