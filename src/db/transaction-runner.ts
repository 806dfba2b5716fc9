import type pg from 'pg';
import { isDatabaseRejection, isRolledBack } from './outage.ts';
import { type Sql, sql } from './sql.ts';
import { COMMIT, type StatementRunner } from './statement-runner.ts';

interface TransactionRunner {
  /** Sends all statements issued in one tick in a single round trip. The first round trip includes `begin`. */
  rows<R>(statement: Sql): Promise<R[]>;
  hasBegun(): boolean;
  /**
   * Declares that the statements issued in this tick are the last. The commit is sent with them, unless it needs a
   * separate round trip.
   */
  finish(): void;
  hasFinished(): boolean;
  /** Returns true if the commit has been sent and was not rejected. */
  mayBeCommitted(): boolean;
}

interface StatementBatch {
  statements: Sql[];
  results: PromiseWithResolvers<unknown[][]>;
}

/** @param commit returns the commit statement, once all statements of the transaction are known */
export function createTransactionRunner(
  client: pg.PoolClient,
  run: StatementRunner,
  commit: () => string,
): TransactionRunner {
  let hasBegun = false;
  let isLast = false;
  let hasFinished = false;
  let isRefused = false;
  let openBatch: StatementBatch | null = null;
  const send = async ({ statements }: StatementBatch): Promise<unknown[][]> => {
    const before = hasBegun ? [] : [BEGIN];
    hasBegun = true;
    hasFinished = isLast && commit() === COMMIT && !statements.some(mayBeMultiple);
    const after = hasFinished ? [END] : [];
    const results = await runBatch(client, run, [...before, ...statements, ...after]).catch(
      (error: unknown) => {
        isRefused = isDatabaseRejection(error) || isRolledBack(error);
        throw error;
      },
    );
    return results.slice(before.length, before.length + statements.length);
  };
  return {
    hasBegun: () => hasBegun,
    hasFinished: () => hasFinished,
    mayBeCommitted: () => hasFinished && !isRefused,
    finish() {
      isLast = openBatch !== null;
    },
    async rows<R>(statement: Sql) {
      if (isLast && openBatch === null) throw new Error('the transaction has been finished');
      openBatch ??= { statements: [], results: Promise.withResolvers() };
      const turn = openBatch;
      const place = turn.statements.push(statement) - 1;
      if (place === 0) {
        await undefined;
        openBatch = null;
        turn.results.resolve(send(turn));
      }
      try {
        return (await turn.results.promise)[place] as R[];
      } catch (error) {
        // Replaces the socket's stack trace with the caller's.
        Error.captureStackTrace(error as Error);
        throw error;
      }
    },
  };
}

const BEGIN = sql`begin`;
const END = sql.raw(COMMIT);

/** Text without parameters may contain several statements, which PostgreSQL accepts only in a separate round trip. */
const mayBeMultiple = (statement: Sql): boolean =>
  statement !== BEGIN && statement !== END && statement.render().params.length === 0;

async function runBatch(
  client: pg.PoolClient,
  run: StatementRunner,
  statements: readonly Sql[],
): Promise<unknown[][]> {
  if (statements.length > 1 && !statements.some(mayBeMultiple)) return run.batch(client, statements);
  const results: unknown[][] = [];
  for (const statement of statements) results.push(await run.one(client, statement));
  return results;
}
