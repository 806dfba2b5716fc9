import type { Logger } from 'pino';
import type { ResponseSocket } from '../../db/connection-limiter.ts';
import type { Db } from '../../db/db.ts';
import { withRetries } from '../../db/pool.ts';
import type { RequestDb } from '../../db/request-db.ts';
import { limits } from '../../limits.ts';
import type { Model } from '../model/model.ts';
import type { CallContext, Channel, Guest, Principal } from '../model/principal.ts';
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

/**
 * One call's world: a value, made once per request, given as the first argument and never changed.
 * `system`, `with` and `tx` make new ones.
 */
export interface Ctx {
  readonly runtime: Runtime;
  readonly workspace: Workspace;
  readonly principal: Principal | null;
  /** Who calls when there is no principal; null for somebody unknown, who may do nothing. */
  readonly guest: Guest | null;
  readonly channel: Channel;
  readonly requestId: string;
  readonly log: Logger;
  /** Where statements run: the transaction that there is, or `requestDb`. */
  readonly db: Db;
  /** Where statements run outside of transactions, in turns. */
  readonly requestDb: RequestDb;
  /** What is left of the conditions of the request; null where nothing bounds them together. */
  readonly conditions: { left: number } | null;
  /** Rights and rules are not asked. Only code of the platform makes such a ctx. */
  readonly sudo: boolean;
  /** What a caller gives is an agent's own: what agents may not change is refused (see access/agents.ts). */
  readonly bounded: boolean;
  /** Masked values are shown as `***`, and nothing is compared by them. */
  readonly mask: boolean;
  readonly context: CallContext;
  /** The models, rights and rules of the workspace. */
  readonly catalog: Catalog;
  /** A long answer may be given piece by piece (see row-stream.ts). */
  readonly streaming: boolean;
  /** Names of what was left out of the answer because the caller may not see it; one set for the whole request. */
  readonly hidden: Set<string>;
  /** Reference rows that the next statement waits for. */
  readonly firstUses: FirstUses;
  /** What this ctx has read once for all that ask: DataLoaders and the like, by key. A mutation empties it. */
  readonly loaded: Map<string, unknown>;
  /** True inside a call: a nested call is not audited again. */
  readonly nested: boolean;
  system(): Ctx;
  with(
    change: Partial<
      Pick<
        Ctx,
        'mask' | 'bounded' | 'context' | 'nested' | 'channel' | 'workspace' | 'principal' | 'streaming'
      >
    >,
  ): Ctx;
  /** Runs `fn` in one transaction; inside of a transaction it joins that one. */
  tx<T>(fn: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs `fn` once the transaction has committed; at once when there is none. */
  afterCommit(fn: () => void): void;
  /** Runs `fn` once the transaction has ended, committed or not; at once when there is none. */
  afterEnd(fn: () => Promise<void>): Promise<void>;
}

interface CtxHooks {
  commit: (() => void)[];
  end: (() => Promise<void>)[];
}

type CtxParts = Omit<Ctx, 'catalog' | 'system' | 'with' | 'tx' | 'afterCommit' | 'afterEnd' | 'loaded'> & {
  hooks: CtxHooks | null;
};

/** The ctx of a new request. When the client behind `outgoing` goes, what runs for it is stopped. */
export function createCtx(
  runtime: Runtime,
  parts: Pick<Ctx, 'workspace' | 'principal' | 'channel' | 'requestId'> &
    Partial<Pick<Ctx, 'mask' | 'guest' | 'streaming'>>,
  outgoing?: ResponseSocket,
): Ctx {
  const requestDb = runtime.db.forRequest(parts.workspace.id, {
    user: parts.principal?.userId ?? 0,
    outgoing,
  });
  return buildCtx({
    runtime,
    log: runtime.log,
    db: requestDb,
    requestDb,
    // The other doors ask one thing at a time; a subscription has no end.
    conditions: parts.channel === 'graphql' && outgoing ? { left: limits.graphql.conditions } : null,
    guest: null,
    sudo: false,
    bounded: parts.channel === 'mcp',
    mask: false,
    context: DEFAULT_CONTEXT,
    streaming: false,
    nested: false,
    hooks: null,
    hidden: new Set(),
    firstUses: createFirstUses([]),
    ...parts,
  });
}

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

const createFirstUses = (wanted: Iterable<string>): FirstUses => ({
  requested: new Set(wanted),
  running: null,
});

/** Where statements run, of a workspace that lacks reference rows: they wait for what the request wants of them. */
function wrapDb(parts: CtxParts): Pick<Ctx, 'db' | 'requestDb'> {
  const { db, requestDb, workspace, firstUses, hooks } = parts;
  if (workspace.catalog.unfilled.size === 0) return { db, requestDb };
  const add = (models: string[]) => {
    const catalog: Catalog = { ...workspace.catalog, unfilled: new Set() };
    return buildCtx({ ...parts, workspace: { ...workspace, catalog }, sudo: true }).tx(async (tx) => {
      for (const model of models) await addReferenceRows(tx, model);
    });
  };
  const after = <T>(ask: () => Promise<T>) =>
    firstUses.requested.size === 0 && !firstUses.running ? ask() : runAfterFirstUses(firstUses, add, ask);
  if (hooks) return { db: { ...db, rows: (statement) => after(() => db.rows(statement)) }, requestDb };
  const waitingDb: RequestDb = {
    ...requestDb,
    rows: (statement) => after(() => requestDb.rows(statement)),
    sharedRows: (statement) => after(() => requestDb.sharedRows(statement)),
    cursor: (statement) => after(() => requestDb.cursor(statement)),
  };
  return { db: waitingDb, requestDb: waitingDb };
}

/** Adds the reference rows of a model, unless another request has. */
async function addReferenceRows(ctx: Ctx, name: string): Promise<void> {
  const { id } = ctx.workspace;
  if (!(await lacksReferenceRows(ctx.db, id, name))) return;
  await ctx.catalog.registry.get(name)!.options.firstUse!.add(ctx);
  await recordReferenceRows(ctx.db, id, name);
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(id));
}

/** Has the next statement wait for the reference rows of the model that the workspace does not have yet. */
export function requestReferenceRows({ catalog, firstUses }: Ctx, { name }: Model): void {
  if (catalog.unfilled.has(name)) firstUses.requested.add(name);
}

/** Run again when Postgres undid it because of others: nothing of it has been seen by anybody. */
const runTransaction = <T>(parts: CtxParts, fn: (ctx: Ctx) => Promise<T>): Promise<T> =>
  withRetries(() => attemptTransaction(parts, fn));

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
