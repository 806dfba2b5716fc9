import pg from 'pg';
import type { Config } from '../config.ts';
import { limits } from '../limits.ts';

/**
 * The address of PostgreSQL without a pooler.
 * @param url of the pool
 * @throws Error where none is given and `url` leads to a pooler: what needs a connection of its own would wait for
 * those that wait for it
 */
export async function resolveDirectUrl(
  { databaseDirectUrl, databaseUrl }: Pick<Config, 'databaseDirectUrl' | 'databaseUrl'>,
  url: string,
): Promise<string> {
  if (databaseDirectUrl) return databaseDirectUrl;
  if (databaseUrl && (await isPooled(url))) throw new Error(POOLER_WITHOUT_DIRECT_URL);
  return url;
}

const POOLER_WITHOUT_DIRECT_URL =
  'DATABASE_URL leads to a connection pooler. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself; ' +
  'for a pooler that gives a connection for the whole session, the same address again will do.';

/** PostgreSQL greets with the number of the process that then answers; a pooler answers by another one. */
async function isPooled(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: limits.sql.connectTime,
  }) as pg.Client & { processID: number };
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]!.pid !== client.processID;
  } finally {
    await client.end();
  }
}
