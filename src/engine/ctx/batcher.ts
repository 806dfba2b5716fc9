import DataLoader from 'dataloader';
import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from './ctx.ts';

// What one caller asks in one turn of the event loop, by whatever requests, may be one statement (docs/adr/0027).

/** Whether statements for `ctx` may be shared: not those of a transaction, nor one that waits for reference rows. */
export const canBatch = (ctx: Ctx): boolean =>
  ctx.principal !== null && ctx.db === ctx.requestDb && ctx.firstUses.requested.size === 0;

/** Where a shared statement runs: a client that hangs up stops its own alone. */
export const getSharedDb = ({ runtime, workspace, principal }: Ctx) =>
  runtime.db.forRequest(workspace.id, { user: principal?.userId ?? 0 });

/** Rows of a statement that only reads; as long as it waits, it is one for all that ask the same. */
export const readSharedRows = <R>({ db, requestDb }: Ctx, statement: Sql): Promise<readonly R[]> =>
  db === requestDb ? requestDb.sharedRows<R>(statement) : db.rows<R>(statement);

/**
 * Stands in FROM of a shared statement that writes, before the rows: where one of them would wait for another
 * transaction, for a link to what is being deleted or for a value that is taken there, all are soon refused (55P03).
 */
export const SHORT_LOCK_TIMEOUT = sql`(
  select set_config('lock_timeout', ${sql.literal(String(limits.call.sharedWait))}, true) limit 1) i`;

/**
 * Hands what is asked in one turn to `begin`, which gives what answers each. One whose answer takes longer, because it
 * is looked at alone, holds up no other.
 */
export function createBatcher<A, R>(
  begin: (asks: readonly A[]) => Promise<(ask: A) => R | Promise<R>>,
): (ask: A) => Promise<R> {
  const asked = new DataLoader<A, (ask: A) => R | Promise<R>>(
    async (asks) => {
      const answer = await begin(asks);
      return asks.map(() => answer);
    },
    {
      cache: false,
      maxBatchSize: limits.call.together,
      batchScheduleFn: (dispatch) => {
        setImmediate(dispatch);
      },
    },
  );
  return async (ask) => (await asked.load(ask))(ask);
}

/**
 * SQLSTATE of errors with which Postgres, a trigger of ours or a time-out has refused a statement; after any other one
 * it may have been carried out.
 */
const REJECTED_SQLSTATES = /^(22|23|40|42|54|AT|55P03$|57014$)/;

/** null for a refusal: what one of them is refused for must not harm the others, so each goes alone. @throws others */
export function retryIndividually(error: { code?: string }): null {
  if (REJECTED_SQLSTATES.test(error.code ?? '')) return null;
  throw error;
}
