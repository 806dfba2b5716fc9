import type { Logger } from 'pino';
import type { ResponseSocket } from '../../db/connection-limiter.ts';
import type { Db } from '../../db/db.ts';
import { runWithRetries } from '../../db/pool.ts';
import type { RequestDb } from '../../db/request-db.ts';
import { limits } from '../../limits.ts';
import type { Model } from '../model/model.ts';
import type { CallContext, Channel, Guest, Principal } from '../model/principal.ts';
import type { CallUsage } from './call-usage.ts';
import type { Catalog } from './catalog.ts';
import { type FirstUses, lacksReferenceRows, recordReferenceRows, runAfterFirstUses } from './first-use.ts';
import type { Runtime } from './runtime.ts';
import type { Workspace } from './workspace.ts';

const DEFAULT_CONTEXT: CallContext = {
  activeTest: true,
  lang: null,
  tz: null,
  defaults: {},
  sizes: new Set(),
};

/** Context of a request, passed as the first argument. Immutable: `system`, `with` and `tx` create new contexts. */
export interface Ctx {
  readonly runtime: Runtime;
  readonly workspace: Workspace;
  readonly principal: Principal | null;
  /** The caller if there is no principal. If both are null, the caller is anonymous and has no access. */
  readonly guest: Guest | null;
  readonly channel: Channel;
  readonly requestId: string;
  readonly log: Logger;
  /** The current transaction, or `requestDb` outside transactions. */
  readonly db: Db;
  /** Runs statements outside transactions, one at a time. */
  readonly requestDb: RequestDb;
  /** Number of domain conditions that the request may still use. Null if they are not limited per request. */
  readonly conditions: { remaining: number } | null;
  /** Skips access rights and record rules. Set only by platform code. */
  readonly sudo: boolean;
  /** True if the input comes directly from an agent and is subject to restrictions (see access/agents.ts). */
  readonly bounded: boolean;
  /** If true, masked values are returned as `***` and cannot be compared. */
  readonly mask: boolean;
  readonly context: CallContext;
  readonly catalog: Catalog;
  /** True if a long response may be streamed (see row-stream.ts). */
  readonly streaming: boolean;
  /** Names omitted from the response because the caller may not see them. Shared by all contexts of the request. */
  readonly hidden: Set<string>;
  readonly firstUses: FirstUses;
  /** DataLoaders and other cached reads of the request, by key. Mutations clear it. */
  readonly loaded: Map<string, unknown>;
  /** Effects of an agent's call. Null if they are not counted. */
  readonly callUsage: CallUsage | null;
  /** True inside an audited call, so that a nested call is not audited again. */
  readonly nested: boolean;
  system(): Ctx;
  with(
    change: Partial<
      Pick<
        Ctx,
        | 'mask'
        | 'bounded'
        | 'callUsage'
        | 'context'
        | 'nested'
        | 'channel'
        | 'workspace'
        | 'principal'
        | 'streaming'
      >
    >,
  ): Ctx;
  /** Runs `fn` in the current transaction or, outside a transaction, in a new one. */
  tx<T>(fn: (ctx: Ctx) => Promise<T>): Promise<T>;
  afterCommit(fn: () => void): void;
  /** Runs `fn` after commit or rollback, or immediately outside a transaction. */
  afterEnd(fn: () => Promise<void>): Promise<void>;
}

interface CtxHooks {
  commit: (() => void)[];
  end: (() => Promise<void>)[];
}

type CtxParts = Omit<Ctx, 'catalog' | 'system' | 'with' | 'tx' | 'afterCommit' | 'afterEnd' | 'loaded'> & {
  hooks: CtxHooks | null;
};

/** Creates a request's ctx. Its statements are canceled if the client behind `outgoingSocket` disconnects. */
export function createCtx(
  runtime: Runtime,
  parts: Pick<Ctx, 'workspace' | 'principal' | 'channel' | 'requestId'> &
    Partial<Pick<Ctx, 'mask' | 'guest' | 'streaming'>>,
  outgoingSocket?: ResponseSocket,
): Ctx {
  const requestDb = runtime.db.forRequest(parts.workspace.id, {
    user: parts.principal?.userId ?? 0,
    outgoing: outgoingSocket,
  });
  return buildCtx({
    runtime,
    log: runtime.log,
    db: requestDb,
    requestDb,
    // Limited only for GraphQL requests. Other protocols send one query per request, and subscriptions never end.
    conditions:
      parts.channel === 'graphql' && outgoingSocket ? { remaining: limits.graphql.conditions } : null,
    guest: null,
    sudo: false,
    bounded: parts.channel === 'mcp',
    mask: false,
    callUsage: null,
    context: DEFAULT_CONTEXT,
    streaming: false,
    nested: false,
    hooks: null,
    hidden: new Set(),
    firstUses: createFirstUses([]),
    ...parts,
  });
}

/** Creates a context whose statements run to the end even if the client disconnects. */
export const createDetachedCtx = ({ runtime, workspace, principal, channel, requestId }: Ctx): Ctx =>
  createCtx(runtime, { workspace, principal, channel, requestId });

function buildCtx(parts: CtxParts): Ctx {
  const { hooks, ...visible } = parts;
  const ctx: Ctx = {
    ...visible,
    ...wrapDb(parts),
    catalog: parts.workspace.catalog,
    loaded: new Map(),
    system: () => (parts.sudo ? ctx : buildCtx({ ...parts, sudo: true })),
    with: (change) => buildCtx({ ...parts, ...change }),
    tx: (fn) => (hooks ? fn(ctx) : runTransaction(parts, fn)),
    afterCommit: (fn) => {
      if (hooks) hooks.commit.push(fn);
      else fn();
    },
    afterEnd: async (fn) => {
      if (hooks) hooks.end.push(fn);
      else await fn();
    },
  };
  return ctx;
}

const createFirstUses = (keys: Iterable<string>): FirstUses => ({
  requested: new Set(keys),
  running: null,
});

/** Makes statements wait until the workspace has the reference rows that the request needs. */
function wrapDb(parts: CtxParts): Pick<Ctx, 'db' | 'requestDb'> {
  const { db, requestDb, workspace, firstUses, hooks } = parts;
  if (workspace.catalog.unfilled.size === 0) return { db, requestDb };
  const add = (models: string[]) => {
    const catalog: Catalog = { ...workspace.catalog, unfilled: new Set() };
    const system = buildCtx({
      ...parts,
      workspace: { ...workspace, catalog },
      callUsage: null,
      sudo: true,
    });
    return system.tx(async (tx) => {
      for (const model of models) await addReferenceRows(tx, model);
    });
  };
  const after = <T>(run: () => Promise<T>) =>
    firstUses.requested.size === 0 && !firstUses.running ? run() : runAfterFirstUses(firstUses, add, run);
  if (hooks) return { db: { ...db, rows: (statement) => after(() => db.rows(statement)) }, requestDb };
  const waitingDb: RequestDb = {
    ...requestDb,
    rows: (statement) => after(() => requestDb.rows(statement)),
    sharedRows: (statement) => after(() => requestDb.sharedRows(statement)),
    cursor: (statement) => after(() => requestDb.cursor(statement)),
  };
  return { db: waitingDb, requestDb: waitingDb };
}

async function addReferenceRows(ctx: Ctx, name: string): Promise<void> {
  const { id } = ctx.workspace;
  if (!(await lacksReferenceRows(ctx.db, id, name))) return;
  await ctx.catalog.registry.get(name)!.options.firstUse!.add(ctx);
  await recordReferenceRows(ctx.db, id, name);
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(id));
}

/** Makes the next statement wait for the model's reference rows if the workspace lacks them. */
export function requestReferenceRows({ catalog, firstUses }: Ctx, { name }: Model): void {
  if (catalog.unfilled.has(name)) firstUses.requested.add(name);
}

/**
 * Runs a transaction, and retries it after a conflict with a concurrent one. A retry is safe, because the rolled-back
 * attempt had no effect.
 */
const runTransaction = <T>(parts: CtxParts, fn: (ctx: Ctx) => Promise<T>): Promise<T> =>
  runWithRetries(() => attemptTransaction(parts, fn));

async function attemptTransaction<T>(parts: CtxParts, fn: (ctx: Ctx) => Promise<T>): Promise<T> {
  const hooks: CtxHooks = { commit: [], end: [] };
  try {
    const result = await parts.db.transaction((db) =>
      fn(buildCtx({ ...parts, db, hooks, firstUses: createFirstUses(parts.firstUses.requested) })),
    );
    for (const hook of hooks.commit) hook();
    return result;
  } finally {
    for (const hook of hooks.end) await hook();
  }
}
