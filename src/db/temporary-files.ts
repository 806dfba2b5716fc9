import type pg from 'pg';
import type { Logger } from 'pino';
import { limits } from '../limits.ts';

/**
 * Sets `temp_file_limit` on new connections, which requires a superuser or `GRANT SET ON PARAMETER`. If the permission
 * is missing, the database's setting applies. A missing permission is logged once.
 */
export function createTemporaryFileLimiter(log: Logger): (client: pg.ClientBase) => Promise<void> {
  let mayNot = false;
  return async (client) => {
    if (mayNot) return;
    try {
      await client.query(`set temp_file_limit = ${limits.sql.temporaryFiles}`);
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error;
      if (!mayNot) log.info("the database role cannot set temp_file_limit, so the server's limit applies");
      mayNot = true;
    }
  };
}
