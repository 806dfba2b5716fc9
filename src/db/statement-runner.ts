import pg from 'pg';
import type { Logger } from 'pino';
import { tracing } from '../trace.ts';
import type { OutageTracker } from './outage.ts';
import { RoundTrip, type RoundTripStatement } from './round-trip.ts';
import { mayChangeData, type Sql } from './sql.ts';
import type { StatementNames } from './statement-names.ts';

/** Maximum items in a list parameter of a prepared statement. A generic plan searches the index once per item. */
export const MAX_PREPARED_LIST_ITEMS = 200;

type QueryTarget = pg.Pool | pg.PoolClient;

export const COMMIT = 'commit';

/** Runs statements as prepared statements, until a pooler turns out not to keep them. */
export interface StatementRunner {
  /** @param isAlone true if the statement is not part of a transaction */
  one<R>(client: QueryTarget, statement: Sql, isAlone?: boolean): Promise<R[]>;
  /** Runs several statements of a transaction in one round trip, including its `begin` or `commit`. */
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
  /** Returns true if a statement failed because of its preparation, and therefore had no effect. */
  const isPreparationError = (error: unknown): boolean => {
    const isUnprepared = UNPREPARED_CODES.has((error as pg.DatabaseError).code ?? '');
    if (!isUnprepared && !isStalePlanError(error)) return false;
    if (isUnprepared) {
      names.stop();
      log.warn({ err: error }, POOLER_MESSAGE);
    } else names.renew();
    return true;
  };
  return {
    async one<R>(client: QueryTarget, statement: Sql, isAlone = false): Promise<R[]> {
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
        // The error aborts a surrounding transaction, but a standalone statement can be repeated without a name.
        if (name && isPreparationError(error) && isAlone)
          return ((await sendQuery(client, new pg.Query(text, params))) as { rows: R[] }).rows;
        // Replaces the socket's stack trace with the caller's.
        Error.captureStackTrace(error as Error);
        const isCommit = isAlone && mayChangeData(statement);
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
        if (steps.some(({ name }) => name)) isPreparationError(error);
        const isCommit = steps.at(-1)!.text === COMMIT;
        throw isCommit ? outage.toCommitError(error as Error) : outage.toCallerError(error as Error);
      }
    },
  };
}

const isLongList = (param: unknown): boolean =>
  Array.isArray(param) && param.length > MAX_PREPARED_LIST_ITEMS;

const traceStatement = (text: string) =>
  tracing.now?.startSpan({ name: `SQL ${getCommand(text)}`, attributes: buildTraceAttributes(text) });

const getCommand = (text: string): string => /\w+/.exec(text)?.[0].toLowerCase() ?? '';

/** Safe to export, because values are parameters and not part of the text. */
const buildTraceAttributes = (text: string) => ({
  'db.system.name': 'postgresql',
  'db.query.text': text.slice(0, 2_000),
});

/** The prepared statement does not exist (26000), or exists although this connection has not prepared it (42P05). */
export const UNPREPARED_CODES: ReadonlySet<string> = new Set(['26000', '42P05']);

/** Recognizes the error caused by a newer version's migration that has changed a column's type. */
export const isStalePlanError = (error: unknown): boolean =>
  (error as pg.DatabaseError).code === '0A000' &&
  (error as Error).message === 'cached plan must not change result type';

const POOLER_MESSAGE =
  'the pooler of DATABASE_URL does not support prepared statements; they are off until the next start. ' +
  'Set DATABASE_PREPARED_STATEMENTS=off';

/** The driver copies a plain query object property by property, but not a `Query` instance (measured). */
type NamedQuery = pg.Query & { name: string | undefined };

/** The signature for a `Query` instance, which the driver's type declarations omit. */
interface DriverRunner {
  query(query: pg.Query, values: undefined, callback: (error: unknown, result: unknown) => void): void;
}

const sendQuery = (client: QueryTarget, query: pg.Query): Promise<unknown> =>
  new Promise((resolve, reject) => {
    (client as unknown as DriverRunner).query(query, undefined, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
