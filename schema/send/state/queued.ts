import { defineGauge } from '../../../src/engine/work/metrics.ts';
import { QUEUED } from './waiting.ts';

defineGauge('atrium_email_queued', 'Emails that wait, as last counted.', async (db) => {
  const [row] = await db.rows<{ n: number }>(
    `select count(*)::int as n from svc_email where workspace_id > 0 and ${QUEUED}`,
  );
  return row!.n;
});
