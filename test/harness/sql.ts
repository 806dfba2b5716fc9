import { type Sql, sql } from '../../src/db/sql.ts';

/** The text that a statement is sent as, for tests that look at statements. */
export const renderText = (statement: Sql): string => statement.render().text;

/** The same statement with `head` in front, such as `explain`. */
export function prefixStatement(head: string, statement: Sql): Sql {
  const { text, params } = statement.render();
  return sql.given(`${head} ${text}`, params);
}
