import type pg from 'pg';
import { isDatabaseRejection, isRolledBack } from './outage.ts';
import { type Sql, sql } from './sql.ts';
import { COMMIT, type StatementRunner } from './statement-runner.ts';

/** How a transaction runs its statements. */
interface TransactionRunner {
  /** Those that are asked for in one turn go in one round trip, the first of all with `begin`. */
  rows<R>(statement: Sql): Promise<R[]>;
  /** Whether there is a transaction yet. */
  hasBegun(): boolean;
  /** What has been asked in this turn is the last: the commit goes with it, unless it takes a round trip of its own. */
  finish(): void;
  /** Whether the commit has been sent. */
  hasFinished(): boolean;
  /** Whether it has been sent and was not refused. */
  mayBeCommitted(): boolean;
}

interface StatementBatch {
  statements: Sql[];
  results: PromiseWithResolvers<unknown[][]>;
}

/** @param commit what the commit is, once all statements of a transaction are known */
export function createTransactionRunner(
  client: pg.PoolClient,
  run: StatementRunner,
  commit: () => string,
): TransactionRunner {
  let hasBegun = false;
  let isLast = false;
  let hasFinished = false;
  let isRefused = false;
  let open: StatementBatch | null = null;
  const send = async ({ statements }: StatementBatch): Promise<unknown[][]> => {
    const before = hasBegun ? [] : [BEGIN];
    hasBegun = true;
    hasFinished = isLast && commit() === COMMIT && !statements.some(mayBeMultiple);
    const after = hasFinished ? [END] : [];
    const answers = await runBatch(client, run, [...before, ...statements, ...after]).catch(
      (error: unknown) => {
        isRefused = isDatabaseRejection(error) || isRolledBack(error);
        throw error;
      },
    );
    return answers.slice(before.length, before.length + statements.length);
  };
  return {
    hasBegun: () => hasBegun,
    hasFinished: () => hasFinished,
    mayBeCommitted: () => hasFinished && !isRefused,
    finish() {
      isLast = open !== null;
    },
    async rows<R>(statement: Sql) {
      if (isLast && open === null) throw new Error('the transaction has been finished');
      open ??= { statements: [], results: Promise.withResolvers() };
      const turn = open;
      const place = turn.statements.push(statement) - 1;
      if (place === 0) {
        await undefined;
        open = null;
        turn.results.resolve(send(turn));
      }
      try {
        return (await turn.results.promise)[place] as R[];
      } catch (error) {
        // With the stack of who asked, in place of the socket's.
        Error.captureStackTrace(error as Error);
        throw error;
      }
    },
  };
}

const BEGIN = sql`begin`;
const END = sql.raw(COMMIT);

/** Text without parameters may be several statements, which Postgres takes in a round trip of their own alone. */
const mayBeMultiple = (statement: Sql): boolean =>
  statement !== BEGIN && statement !== END && statement.render().params.length === 0;

async function runBatch(
  client: pg.PoolClient,
  run: StatementRunner,
  statements: readonly Sql[],
): Promise<unknown[][]> {
  if (statements.length > 1 && !statements.some(mayBeMultiple)) return run.batch(client, statements);
  const answers: unknown[][] = [];
  for (const statement of statements) answers.push(await run.one(client, statement));
  return answers;
}
