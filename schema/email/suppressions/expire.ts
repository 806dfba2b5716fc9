import { sql } from '../../../src/db/sql.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { purgeRows } from '../../../src/engine/work/purge.ts';

/** Reads already ignore expired entries. */
defineJob({
  name: 'suppression-expiry',
  cron: '*/5 * * * *',
  run: async ({ db }) => {
    await purgeRows(db, {
      table: 'svc_suppression',
      time: 'expires_at',
      before: sql`now()`,
      key: { id: 'bigint' },
    });
  },
});

defineJob({
  name: 'soft-bounce-purge',
  cron: '19 3 * * *',
  run: async ({ db, config }) => {
    const days = config.softBounces?.windowDays ?? 0;
    await purgeRows(db, {
      table: 'svc_soft_bounce',
      time: 'last_at',
      before: sql`now() - make_interval(days => ${days})`,
      key: { email: 'text' },
    });
  },
});
