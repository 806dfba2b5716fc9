import pg from 'pg';
import type { Config } from '../config.ts';
import { limits } from '../limits.ts';

/**
 * Returns a URL that bypasses the connection pooler.
 * @throws Error if `url` points to a pooler and no direct URL is set, because code that needs a separate connection
 * could deadlock
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
  'if the pooler keeps a connection for the whole session, set it to the same address.';

/**
 * Returns true if the server process that runs a query differs from the one announced on connect, as behind a pooler.
 */
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
