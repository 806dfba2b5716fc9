import { sql } from '../../../src/db/sql.ts';
import { defineGauge } from '../../../src/engine/work/metrics.ts';
import { QUEUED } from './state-sql.ts';

defineGauge('atrium_email_queued', 'Emails waiting to be sent.', async (db) => {
  const [row] = await db.rows<{ n: number }>(
    sql`select count(*)::int as n from svc_email m where m.workspace_id > 0 and ${QUEUED}`,
  );
  return row!.n;
});
