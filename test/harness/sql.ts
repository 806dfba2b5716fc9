import { type Sql, sql } from '../../src/db/sql.ts';

/** The text that a statement is sent as, for tests that look at statements. */
export const textOf = (query: Sql): string => query.render().text;

/** The same statement with `head` in front, such as `explain`. */
export function prefixed(head: string, query: Sql): Sql {
  const { text, params } = query.render();
  return sql.given(`${head} ${text}`, params);
}
