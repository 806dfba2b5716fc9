import type { ExecutionArgs, GraphQLSchema } from 'graphql';
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

/** The models and the GraphQL schema. Facades use this interface because they must not import `schema`. */
export interface ProductSchema {
  registry: Registry;
  schema: GraphQLSchema;
  /** Returns the GraphQL schema for a workspace's registry: `schema` itself if the workspace has added nothing. */
  getSchema(registry: Registry): GraphQLSchema;
  /** Returns a query's `data` as JSON text. Null if the query needs the executor. */
  executeToText(args: ExecutionArgs): Promise<RawJson | null>;
}

/** Objects that live as long as the process. */
export interface Runtime extends ProductSchema {
  config: Config;
  log: Logger;
  db: Database;
  catalogs: CatalogCache;
  identity: Identity;
  jobs: Jobs;
  metrics: Metrics;
  /** Clients should send requests only in the phase `running`. */
  phase: 'starting' | 'running' | 'draining';
}

export interface Caller {
  workspace: Workspace;
  principal: Principal;
}

/** Identifies a user by login, or by the id that `authenticate` returned. */
export interface UserMatch {
  login?: string;
  uid?: number;
}

export interface SignInAttempt {
  source: string;
  /** Called after a wrong password, with the updated counters. */
  failed(counts: FailureCounts): Promise<void>;
}

/** Unexpired failures by user and source, by source, by user, and in the whole workspace. */
export type FailureCounts = Record<'pair' | 'source' | 'user' | 'all', { failures: number }>;

/** `audience` is the resource that the token was issued for. */
export interface TokenCaller extends Caller {
  audience: string;
}

/** `grantId` identifies the consent that a code or token belongs to. */
export type OAuthPayload = Record<string, unknown> & { grantId?: string };

/**
 * Storage for a workspace's authorization server. Ids (tokens, codes, cookies) are secrets, so only their hashes are
 * stored.
 */
export interface OAuthStore {
  workspaceId: number;
  /**
   * Returns an entry, with `consumed` (Unix time in seconds) if it has been used. Null if it does not exist or has
   * expired.
   */
  find(kind: string, id: string): Promise<OAuthPayload | null>;
  put(kind: string, id: string, payload: OAuthPayload, seconds: number): Promise<void>;
  /** @returns false if the entry was already used or does not exist */
  consume(kind: string, id: string): Promise<boolean>;
  drop(kind: string, id: string): Promise<void>;
  /**
   * Deletes a consent with its codes and tokens, and revokes its agent.
   * @returns the agent's id, or null if it was already revoked
   */
  revoke(grantId: string, db?: Db): Promise<number | null>;
  isConnected(userId: number, clientId: string): Promise<boolean>;
  /** Extends a client's lifetime to at least `seconds`, after a sign-in has begun or a user has consented. */
  prolong(clientId: string, seconds: number): Promise<void>;
  /**
   * Makes room for a new client by deleting the oldest client without a user's consent. Keeps clients that recently
   * registered or began a sign-in.
   * @returns false if there is no room
   */
  makeRoom(): Promise<boolean>;
}

export interface Consent {
  /** Identifies the consent. Its codes and tokens contain the same hash. */
  grantHash: string;
  clientId: string;
  clientName: string;
  redirectHost: string;
  /** `read`, `write` or both. */
  scopes: string[];
  seconds: number;
}

export interface Identity {
  /** @returns null if the key is unknown, revoked or expired, or its owner is inactive */
  byKey(key: string): Promise<Caller | null>;
  /**
   * @param secret one of the user's keys, or the password
   * @throws ACCESS_DENIED during a cooldown after failures, BUSY if too many attempts are running
   */
  byUser(slug: string, match: UserMatch, secret: string, attempt: SignInAttempt): Promise<Caller | null>;
  /** Finds the owner of a current or former key. Null if the key never existed. */
  findKeyOwner(key: string): Promise<{ workspace: Workspace; userId: number | null } | null>;
  bySession(token: string): Promise<Caller | null>;
  /**
   * Finds the agent that owns an access token for this workspace.
   * @returns null if the token is unknown, revoked or expired, or the user is inactive
   */
  byToken(workspaceId: number, token: string): Promise<TokenCaller | null>;
  oauth(workspaceId: number): OAuthStore;
  connectAgent(db: Db, caller: Caller, consent: Consent): Promise<void>;
  workspace(slug: string): Promise<Workspace | null>;
  /** Returns the first `limit` slugs in alphabetical order. */
  slugs(limit: number): Promise<string[]>;
  openSession(db: Db, caller: Caller, session: NewSession): Promise<void>;
  closeSession(db: Db, caller: Caller, hash: string): Promise<void>;
  /** Records a sign-in by the user unless one was recorded within the last `seconds`. */
  noteSignIn(db: Db, caller: Caller, seconds: number): Promise<void>;
  /** Returns the principal of an active user without authentication. Use it only to inspect access rights. */
  principal(workspaceId: number, userId: number): Promise<Principal | null>;
  /**
   * Invalidates the cached data of one workspace, or of all if `workspaceId` is omitted. Takes effect immediately in
   * this process. The database notifies other processes.
   */
  invalidate(workspaceId?: number): void;
}

export interface NewSession {
  /** Hash of the session token, which is not stored. */
  hash: string;
  address: string;
  /** Unverified User-Agent header. */
  userAgent: string | null;
}

export interface Jobs {
  /**
   * Connects to the queue.
   * @param isWorker true if this process also runs jobs
   */
  start(isWorker: boolean): Promise<void>;
  /** Enqueues a job in the ctx's transaction, so that the job exists only if the transaction commits. */
  enqueue({ db }: { db: Db }, name: string, data: object): Promise<void>;
  ready(): boolean;
  /** Waits for running jobs to end. */
  stop(): Promise<void>;
}

/** Metrics at `/metrics`. Times are in seconds. */
export interface Metrics {
  registry: PromRegistry;
  /** Registers a gauge for this process, read on each request to `/metrics`. Replaces a gauge with the same name. */
  watch(name: string, help: string, getValue: () => number): void;
  requests: Histogram<'facade' | 'status'>;
  sent: Counter<'outcome'>;
}
