import type DataLoader from 'dataloader';
import type { Logger } from 'pino';
import type { Db } from '../db/pool.ts';
import type { Catalog } from './catalog.ts';
import { persistent } from './persistent.ts';
import type { Runtime } from './runtime.ts';

/** The door a call came through. */
export type Channel = 'rest' | 'json' | 'rpc' | 'mcp' | 'graphql' | 'web' | 'smtp' | 'job';

export interface Workspace {
  id: number;
  slug: string;
  name: string;
  features: ReadonlySet<string>;
  catalog: Catalog;
}

/** Who calls: a user, or a workspace itself (a team key). */
export interface Principal {
  kind: 'user' | 'workspace';
  userId: number | null;
  login: string;
  name: string;
  /** External ids of the groups, implied ones included. */
  groups: ReadonlySet<string>;
  companyId: number | null;
  companyIds: number[];
  partnerId: number | null;
  lang: string;
  tz: string;
  keyId: number | null;
  /** null: no narrowing. A scope only narrows; it never grants. */
  scopes: readonly string[] | null;
  /** The sending domain a team's key is bound to. */
  domainId: number | null;
}

/** How a caller wants its call understood: the `context` of classic RPC (see call-context.ts). */
export interface CallContext {
  /** Archived records are left out unless they are asked for. */
  activeTest: boolean;
  lang: string | null;
  tz: string | null;
  /** Fields of new records start with these values. */
  defaults: Readonly<Record<string, unknown>>;
  /** Fields whose content is shown as its size; `*` stands for all. */
  sizes: ReadonlySet<string>;
}

const PLAIN_CONTEXT: CallContext = {
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
  readonly channel: Channel;
  readonly requestId: string;
  readonly log: Logger;
  readonly db: Db;
  /** Rights and rules are not asked. Only code of the platform makes such a ctx. */
  readonly sudo: boolean;
  /** Secret-named values are shown as `***`. */
  readonly mask: boolean;
  readonly context: CallContext;
  /** The models, rights and rules of the workspace. */
  readonly catalog: Catalog;
  /** A long answer may be given piece by piece (see row-stream.ts). */
  readonly streaming: boolean;
  /** DataLoaders of this ctx, by key. */
  readonly loaders: Map<string, DataLoader<number, unknown>>;
  /** True inside a call: a nested call is not audited again. */
  readonly nested: boolean;
  system(): Ctx;
  with(
    change: Partial<
      Pick<Ctx, 'mask' | 'context' | 'nested' | 'channel' | 'workspace' | 'principal' | 'streaming'>
    >,
  ): Ctx;
  /** Runs `fn` in one transaction; inside of a transaction it joins that one. */
  tx<T>(fn: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs `fn` once the transaction has committed; at once when there is none. */
  afterCommit(fn: () => void): void;
  /** Runs `fn` once the transaction has ended, committed or not; at once when there is none. */
  afterEnd(fn: () => Promise<void>): Promise<void>;
}

interface Hooks {
  commit: (() => void)[];
  end: (() => Promise<void>)[];
}

type Parts = Omit<Ctx, 'catalog' | 'system' | 'with' | 'tx' | 'afterCommit' | 'afterEnd' | 'loaders'> & {
  hooks: Hooks | null;
};

/** The ctx of a new request. */
export function createCtx(
  runtime: Runtime,
  parts: Pick<Ctx, 'workspace' | 'principal' | 'channel' | 'requestId'> & Partial<Pick<Ctx, 'mask'>>,
): Ctx {
  return build({
    runtime,
    log: runtime.log,
    db: runtime.db,
    sudo: false,
    mask: false,
    context: PLAIN_CONTEXT,
    streaming: false,
    nested: false,
    hooks: null,
    ...parts,
  });
}

function build(parts: Parts): Ctx {
  const { hooks, ...visible } = parts;
  const ctx: Ctx = {
    ...visible,
    catalog: parts.workspace.catalog,
    loaders: new Map(),
    system: () => (parts.sudo ? ctx : build({ ...parts, sudo: true })),
    with: (change) => build({ ...parts, ...change }),
    tx: (fn) => (hooks ? fn(ctx) : transaction(parts, fn)),
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

/** Run again when Postgres undid it because of others: nothing of it has been seen by anybody. */
const transaction = <T>(parts: Parts, fn: (ctx: Ctx) => Promise<T>): Promise<T> =>
  persistent(() => attempt(parts, fn));

async function attempt<T>(parts: Parts, fn: (ctx: Ctx) => Promise<T>): Promise<T> {
  const hooks: Hooks = { commit: [], end: [] };
  try {
    const result = await parts.db.transaction((db) => fn(build({ ...parts, db, hooks })));
    for (const hook of hooks.commit) hook();
    return result;
  } finally {
    for (const hook of hooks.end) await hook();
  }
}
