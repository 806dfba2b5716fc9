import { INVALIDATION_CHANNEL } from '../../../src/db/notifications/cache-invalidation.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { createLog } from '../../../src/log.ts';
import { withDatabase } from '../run-on-database.ts';

export const invalidateAllCaches = (): Promise<{ announced: true }> =>
  withDatabase(async ({ config, url }) => {
    const db = openDatabase(url, createLog(config.logLevel, 2));
    try {
      await db.notify(INVALIDATION_CHANNEL, '');
    } finally {
      await db.close();
    }
    return { announced: true };
  });
