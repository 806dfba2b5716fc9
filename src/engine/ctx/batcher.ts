import DataLoader from 'dataloader';
import { createCache, memoizePerObject } from '../../cache.ts';
import type { RequestDb } from '../../db/request-db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Ctx } from './ctx.ts';
import type { Runtime } from './runtime.ts';

// Calls in one event loop tick may share a statement, even across requests and callers (docs/adr/0027).

const MAX_REQUESTS_PER_STATEMENT = 32;
/** Maximum number of statements that several callers share. */
const MAX_SHARED_STATEMENTS = 2_000;
/** Maximum characters of these statements. A read of 60 fields takes 15,000 characters, and is kept in two forms. */
const MAX_SHARED_TEXT = 8_000_000;
/** Maximum time that a shared statement waits for a lock. After that, each request runs separately. */
const MAX_SHARED_WAIT_MS = 100;

/** Returns false in a transaction, or while the ctx waits for reference rows. */
export const canBatch = (ctx: Ctx): boolean =>
  ctx.principal !== null && ctx.db === ctx.requestDb && ctx.firstUses.requested.size === 0;

/**
 * Returns a database for a statement that these requests share. Its statements are not canceled when a client
 * disconnects, and do not wait for a user's slow statements if another user is among the callers.
 */
export function getSharedDb(requests: readonly { ctx: Ctx }[]): RequestDb {
  const [{ ctx }] = requests as [{ ctx: Ctx }];
  const { runtime, workspace } = ctx;
  const users = new Set(requests.map(({ ctx }) => ctx.principal?.userId ?? 0));
  return runtime.db.forRequest(workspace.id, { user: runtime.db.chooseUser(workspace.id, [...users]) });
}

/**
 * Returns the value that belongs to a statement. Callers share it only if PostgreSQL would receive the same text and
 * parameters from them, which include the workspace, the rules and the permitted fields. Slots may differ.
 */
export const shareByStatement = <V extends object>({ runtime }: Ctx, statement: Sql, make: () => V): V =>
  getSharedValues(runtime).getOrCreate(sql.fingerprint(statement), () => ({
    value: make(),
    length: statement.render().text.length,
  })).value as V;

const getSharedValues = memoizePerObject((_runtime: Runtime) =>
  createCache<string, { value: object; length: number }>({
    entries: MAX_SHARED_STATEMENTS,
    weight: { max: MAX_SHARED_TEXT, measure: ({ length }) => length },
  }),
);

/** Runs a read-only statement. Outside transactions, identical statements that wait for a connection run only once. */
export const readSharedRows = <R>({ db, requestDb }: Ctx, statement: Sql): Promise<readonly R[]> =>
  db === requestDb ? requestDb.sharedRows<R>(statement) : db.rows<R>(statement);

/**
 * Include this in the FROM clause of a shared write, before the rows. If a row must wait for another transaction, for
 * example because it references a row being deleted or duplicates a unique value, the statement fails with 55P03 after
 * `MAX_SHARED_WAIT_MS`.
 */
export const SHORT_LOCK_TIMEOUT = sql`(
  select set_config('lock_timeout', ${sql.literal(String(MAX_SHARED_WAIT_MS))}, true) limit 1) i`;

/**
 * Collects the calls of one tick and passes them to `begin`, which returns a function that provides each call's
 * response. A slow response does not delay the others.
 */
export function createBatcher<A, R>(
  begin: (requests: readonly A[]) => Promise<(request: A) => R | Promise<R>>,
): (request: A) => Promise<R> {
  const loader = new DataLoader<A, (request: A) => R | Promise<R>>(
    async (requests) => {
      const answer = await begin(requests);
      return requests.map(() => answer);
    },
    {
      cache: false,
      maxBatchSize: MAX_REQUESTS_PER_STATEMENT,
      batchScheduleFn: (dispatch) => {
        setImmediate(dispatch);
      },
    },
  );
  return async (request) => (await loader.load(request))(request);
}

/**
 * SQLSTATEs of statements that PostgreSQL, a trigger or a timeout rejected. After any other error, the statement may
 * have taken effect.
 */
const REJECTED_SQLSTATES = /^(22|23|40|42|54|AT|55P03$|57014$)/;

/**
 * Returns null if the statement was rejected, so that each request is retried separately and a failing request does not
 * affect the others.
 * @throws all other errors
 */
export function rethrowUnlessRejected(error: { code?: string }): null {
  if (REJECTED_SQLSTATES.test(error.code ?? '')) return null;
  throw error;
}
