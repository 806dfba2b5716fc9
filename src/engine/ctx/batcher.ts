import DataLoader from 'dataloader';
import { type Sql, sql } from '../../db/sql.ts';
import type { Ctx } from './ctx.ts';

// Calls of one caller in the same tick of the event loop may share a statement, even across requests (docs/adr/0027).

/** Maximum number of requests of a caller that share one statement. */
const MAX_REQUESTS_PER_STATEMENT = 32;
/** Maximum time that a shared statement waits for another transaction before each request runs separately. */
export const MAX_SHARED_WAIT_MS = 100;

/**
 * Returns true if statements for `ctx` may be shared. False in a transaction, or while the ctx waits for reference
 * rows.
 */
export const canBatch = (ctx: Ctx): boolean =>
  ctx.principal !== null && ctx.db === ctx.requestDb && ctx.firstUses.requested.size === 0;

/** Database for shared statements. A client that disconnects does not cancel a shared statement. */
export const getSharedDb = ({ runtime, workspace, principal }: Ctx) =>
  runtime.db.forRequest(workspace.id, { user: principal?.userId ?? 0 });

/** Runs a read-only statement. While it waits for a connection, identical reads share it. */
export const readSharedRows = <R>({ db, requestDb }: Ctx, statement: Sql): Promise<readonly R[]> =>
  db === requestDb ? requestDb.sharedRows<R>(statement) : db.rows<R>(statement);

/**
 * Placed in the FROM clause of a shared write, before the rows. If one row would wait for another transaction, for
 * example because of a foreign key to a row being deleted or a duplicate unique value, the whole statement soon fails
 * with 55P03.
 */
export const SHORT_LOCK_TIMEOUT = sql`(
  select set_config('lock_timeout', ${sql.literal(String(MAX_SHARED_WAIT_MS))}, true) limit 1) i`;

/**
 * Passes the calls of one tick to `begin`, which returns a function that provides the response for each call. A call
 * with a slow response does not delay the others.
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
 * SQLSTATEs with which PostgreSQL, a trigger or a timeout rejected a statement. After any other error the statement may
 * have been executed.
 */
const REJECTED_SQLSTATES = /^(22|23|40|42|54|AT|55P03$|57014$)/;

/**
 * Returns null if the statement was rejected, so that each call is retried on its own and one cause does not affect the
 * others.
 * @throws all other errors
 */
export function retryIndividually(error: { code?: string }): null {
  if (REJECTED_SQLSTATES.test(error.code ?? '')) return null;
  throw error;
}
