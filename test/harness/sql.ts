import { Sql, sql } from '../../src/db/sql.ts';

/** The text that a statement is sent as, for tests that look at statements. */
export const textOf = (query: Sql | string): string => (query instanceof Sql ? query.render().text : query);

/** The same statement with `head` in front, such as `explain`. */
export function prefixed(head: string, query: Sql | string, params: unknown[] = []): Sql {
  const given = query instanceof Sql ? query.render() : { text: query, params };
  return sql.given(`${head} ${given.text}`, given.params);
}
