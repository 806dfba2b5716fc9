import { type Sql, sql } from '../../src/db/sql.ts';

export const renderText = (statement: Sql): string => statement.render().text;

export function prefixStatement(head: string, statement: Sql): Sql {
  const { text, params } = statement.render();
  return sql.given(`${head} ${text}`, params);
}
