import pg from 'pg';
import type { Logger } from 'pino';
import { limits } from '../limits.ts';
import { tracing } from '../trace.ts';
import type { Outage } from './outage.ts';
import { RoundTrip, type Step } from './round-trip.ts';
import { isChange, type Sql } from './sql.ts';
import type { StatementNames } from './statement-names.ts';

type Client = pg.Pool | pg.PoolClient;

/** The text of the statement that ends a transaction. */
export const COMMIT = 'commit';

/** Runs statements under their names, until a pooler shows that it does not know what has been prepared. */
export interface Run {
  /** @param alone the statement is no part of a transaction */
  one<R>(client: Client, statement: Sql, alone?: boolean): Promise<R[]>;
  /** Begins a transaction, runs some of its statements, or commits it after its last ones, in one round trip. */
  several(client: Client, statements: readonly Sql[]): Promise<unknown[][]>;
}

export function createRun(names: StatementNames, log: Logger, outage: Outage): Run {
  const stepOf = (statement: Sql): Step => {
    const { text, params } = statement.render();
    return { text, params, name: names.of(text, params.some(isLongList)) };
  };
  /** Whether a statement failed, before it did anything, because of how it was prepared. */
  const isOfNames = (error: unknown): boolean => {
    const isUnprepared = UNPREPARED.has((error as pg.DatabaseError).code ?? '');
    if (!isUnprepared && !isStale(error)) return false;
    if (isUnprepared) {
      names.stop();
      log.warn({ err: error }, POOLER);
    } else names.renew();
    return true;
  };
  return {
    async one<R>(client: Client, statement: Sql, alone = false): Promise<R[]> {
      const { text, params, name } = stepOf(statement);
      const query = new pg.Query(text, params) as NamedQuery;
      query.name = name;
      const traced = trace(text);
      try {
        const { rows } = (await answerTo(client, query)) as { rows: R[] };
        traced?.();
        return rows;
      } catch (error) {
        traced?.(error);
        // A transaction is over; alone, the statement can go again.
        if (name && isOfNames(error) && alone)
          return ((await answerTo(client, new pg.Query(text, params))) as { rows: R[] }).rows;
        // With the stack of who asked, in place of the socket's.
        Error.captureStackTrace(error as Error);
        const isCommit = alone && isChange(statement);
        throw isCommit ? outage.wordsOfCommit(error as Error) : outage.wordsOf(error as Error);
      }
    },
    async several(client, statements) {
      const steps = statements.map(stepOf);
      const traced = steps.map(({ text }) => trace(text));
      try {
        const results = (await answerTo(client, new RoundTrip(steps))) as { rows: unknown[] }[];
        for (const end of traced) end?.();
        return results.map(({ rows }) => rows);
      } catch (error) {
        for (const end of traced) end?.(error);
        if (steps.some(({ name }) => name)) isOfNames(error);
        const isCommit = steps.at(-1)!.text === COMMIT;
        throw isCommit ? outage.wordsOfCommit(error as Error) : outage.wordsOf(error as Error);
      }
    },
  };
}

const isLongList = (param: unknown): boolean =>
  Array.isArray(param) && param.length > limits.sql.preparedList;

const trace = (text: string) => tracing.now?.begin({ name: `SQL ${verbOf(text)}`, facts: factsOf(text) });

/** The word that a statement begins with. */
const verbOf = (text: string): string => /\w+/.exec(text)?.[0].toLowerCase() ?? '';

/** Its text holds no values, which are parameters. */
const factsOf = (text: string) => ({ 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 2_000) });

/** A prepared statement does not exist, or exists although this connection has not prepared it. */
export const UNPREPARED: ReadonlySet<string> = new Set(['26000', '42P05']);

/** A migration of a newer version, which runs beside this one, has given a column another type. */
export const isStale = (error: unknown): boolean =>
  (error as pg.DatabaseError).code === '0A000' &&
  (error as Error).message === 'cached plan must not change result type';

const POOLER =
  'the pooler of DATABASE_URL does not support prepared statements; they are off until the next start. ' +
  'Set DATABASE_PREPARED_STATEMENTS=off';

/** The driver copies a query with a name property by property, unless it is made already (measured). */
type NamedQuery = pg.Query & { name: string | undefined };

/** How the driver takes a query that is made already, which its declarations lack. */
interface Runner {
  query(query: pg.Query, values: undefined, done: (error: unknown, result: unknown) => void): void;
}

const answerTo = (client: Client, query: pg.Query): Promise<unknown> =>
  new Promise((resolve, reject) => {
    (client as unknown as Runner).query(query, undefined, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
