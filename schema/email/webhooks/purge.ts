import { sql } from '../../../src/db/sql.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';

const MAX_WAIT_DAYS = 3;
const CALL_RETENTION_DAYS = 30;

/** Discards calls that have waited too long to be useful. */
definePurgeJob('webhook-discard', '23 * * * *', {
  table: 'svc_webhook_call',
  time: 'run_at',
  before: sql`now() - make_interval(days => ${sql.literal(MAX_WAIT_DAYS)})`,
  key: { id: 'bigint' },
  also: () => sql`t.status = 'PENDING'`,
  change: sql`update svc_webhook_call t set status = 'DISCARDED', write_date = now()`,
});

definePurgeJob('webhook-purge', '41 3 * * *', {
  table: 'svc_webhook_call',
  time: 'create_date',
  before: sql`now() - make_interval(days => ${sql.literal(CALL_RETENTION_DAYS)})`,
  key: { id: 'bigint' },
});
