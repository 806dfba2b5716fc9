import pg from 'pg';
import type { Logger } from 'pino';
import { limits } from '../limits.ts';
import { tracing } from '../trace.ts';
import type { OutageTracker } from './outage.ts';
import { RoundTrip, type RoundTripStatement } from './round-trip.ts';
import { mayChangeData, type Sql } from './sql.ts';
import type { StatementNames } from './statement-names.ts';

type QueryTarget = pg.Pool | pg.PoolClient;

/** The text of the statement that ends a transaction. */
export const COMMIT = 'commit';

/** Runs statements under their names, until a pooler shows that it does not know what has been prepared. */
export interface StatementRunner {
  /** @param alone the statement is no part of a transaction */
  one<R>(client: QueryTarget, statement: Sql, alone?: boolean): Promise<R[]>;
  /** Begins a transaction, runs some of its statements, or commits it after its last ones, in one round trip. */
  batch(client: QueryTarget, statements: readonly Sql[]): Promise<unknown[][]>;
}

export function createStatementRunner(
  names: StatementNames,
  log: Logger,
  outage: OutageTracker,
): StatementRunner {
  const toStatement = (statement: Sql): RoundTripStatement => {
    const { text, params } = statement.render();
    return { text, params, name: names.getName(text, params.some(isLongList)) };
  };
  /** Whether a statement failed, before it did anything, because of how it was prepared. */
  const isOfNames = (error: unknown): boolean => {
    const isUnprepared = UNPREPARED_CODES.has((error as pg.DatabaseError).code ?? '');
    if (!isUnprepared && !isStalePlan(error)) return false;
    if (isUnprepared) {
      names.stop();
      log.warn({ err: error }, POOLER_MESSAGE);
    } else names.renew();
    return true;
  };
  return {
    async one<R>(client: QueryTarget, statement: Sql, alone = false): Promise<R[]> {
      const { text, params, name } = toStatement(statement);
      const query = new pg.Query(text, params) as NamedQuery;
      query.name = name;
      const traced = traceStatement(text);
      try {
        const { rows } = (await sendQuery(client, query)) as { rows: R[] };
        traced?.();
        return rows;
      } catch (error) {
        traced?.(error);
        // A transaction is over; alone, the statement can go again.
        if (name && isOfNames(error) && alone)
          return ((await sendQuery(client, new pg.Query(text, params))) as { rows: R[] }).rows;
        // With the stack of who asked, in place of the socket's.
        Error.captureStackTrace(error as Error);
        const isCommit = alone && mayChangeData(statement);
        throw isCommit ? outage.toCommitError(error as Error) : outage.toCallerError(error as Error);
      }
    },
    async batch(client, statements) {
      const steps = statements.map(toStatement);
      const traced = steps.map(({ text }) => traceStatement(text));
      try {
        const results = (await sendQuery(client, new RoundTrip(steps))) as { rows: unknown[] }[];
        for (const end of traced) end?.();
        return results.map(({ rows }) => rows);
      } catch (error) {
        for (const end of traced) end?.(error);
        if (steps.some(({ name }) => name)) isOfNames(error);
        const isCommit = steps.at(-1)!.text === COMMIT;
        throw isCommit ? outage.toCommitError(error as Error) : outage.toCallerError(error as Error);
      }
    },
  };
}

const isLongList = (param: unknown): boolean =>
  Array.isArray(param) && param.length > limits.sql.preparedList;

const traceStatement = (text: string) =>
  tracing.now?.startSpan({ name: `SQL ${getCommand(text)}`, attributes: buildTraceAttributes(text) });

/** The word that a statement begins with. */
const getCommand = (text: string): string => /\w+/.exec(text)?.[0].toLowerCase() ?? '';

/** Its text holds no values, which are parameters. */
const buildTraceAttributes = (text: string) => ({
  'db.system.name': 'postgresql',
  'db.query.text': text.slice(0, 2_000),
});

/** A prepared statement does not exist, or exists although this connection has not prepared it. */
export const UNPREPARED_CODES: ReadonlySet<string> = new Set(['26000', '42P05']);

/** A migration of a newer version, which runs beside this one, has given a column another type. */
export const isStalePlan = (error: unknown): boolean =>
  (error as pg.DatabaseError).code === '0A000' &&
  (error as Error).message === 'cached plan must not change result type';

const POOLER_MESSAGE =
  'the pooler of DATABASE_URL does not support prepared statements; they are off until the next start. ' +
  'Set DATABASE_PREPARED_STATEMENTS=off';

/** The driver copies a query with a name property by property, unless it is made already (measured). */
type NamedQuery = pg.Query & { name: string | undefined };

/** How the driver takes a query that is made already, which its declarations lack. */
interface DriverRunner {
  query(query: pg.Query, values: undefined, done: (error: unknown, result: unknown) => void): void;
}

const sendQuery = (client: QueryTarget, query: pg.Query): Promise<unknown> =>
  new Promise((resolve, reject) => {
    (client as unknown as DriverRunner).query(query, undefined, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
