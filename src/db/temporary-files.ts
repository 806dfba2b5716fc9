import type pg from 'pg';
import type { Logger } from 'pino';
import { limits } from '../limits.ts';

/**
 * Gives what bounds the temporary files of each new connection. Only a superuser may, or a role with `GRANT SET ON
 * PARAMETER`; for others the database's own setting holds, and the log says so once.
 */
export function createTemporaryFileLimiter(log: Logger): (client: pg.ClientBase) => Promise<void> {
  let mayNot = false;
  return async (client) => {
    if (mayNot) return;
    try {
      await client.query(`set temp_file_limit = ${limits.sql.temporaryFiles}`);
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error;
      if (!mayNot)
        log.info('the role of the database may not set temp_file_limit, so that of the server holds');
      mayNot = true;
    }
  };
}
