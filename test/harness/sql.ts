import type { Database } from '../../src/db/pool.ts';
import { type Sql, sql } from '../../src/db/sql.ts';

export const renderText = (statement: Sql): string => statement.render().text;

export function prefixStatement(head: string, statement: Sql): Sql {
  const { text, params } = statement.render();
  return sql.given(`${head} ${text}`, params);
}

/**
 * Executes the statement without invalidating any cache: triggers that notify are disabled, and `Db`, which invalidates
 * the caches of its process, is bypassed.
 */
export async function executeSilently(db: Database, statement: Sql): Promise<void> {
  const { text, params } = statement.render();
  const client = await db.pool.connect();
  await client.query('begin');
  await client.query('set local session_replication_role to replica');
  await client.query(text, [...params]);
  await client.query('commit');
  client.release();
}
