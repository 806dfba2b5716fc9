import type { Db } from '../../../src/db/db.ts';
import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { computeDueLag, findSoonestWorkspaces } from '../../../src/engine/work/due.ts';
import { defineGauge } from '../../../src/engine/work/metrics.ts';
import { MAIL_QUEUE } from './queues.ts';
import { IS_QUEUED } from './state-sql.ts';

/** Bounds the scrape time, which grows with the queue. */
const MAX_COUNTED_EMAILS = sql.literal(100_000);

defineGauge(
  'atrium_email_queued',
  'Emails waiting to be sent, scheduled ones included, up to 100000.',
  (db) =>
    db.value<number>(
      sql`select count(*)::int from (
       select 1 from svc_email m where m.workspace_id > 0 and ${IS_QUEUED} limit ${MAX_COUNTED_EMAILS}) waiting`,
    ),
);

defineGauge(
  'atrium_email_lag_seconds',
  'Seconds for which mail has been due without being claimed, in the workspace that has waited longest.',
  (db) => computeDueLag(db, MAIL_QUEUE),
);

/** Bounds the search for the oldest email. */
const MAX_WORKSPACES = 20;
const MAX_EMAILS_PER_WORKSPACE = sql.literal(100);

defineGauge(
  'atrium_email_oldest_seconds',
  'Age in seconds of the oldest overdue email, excluding campaign mail; sampled from 20 workspaces.',
  async (db) => {
    const ages = (await findSoonestWorkspaces(db, MAIL_QUEUE, MAX_WORKSPACES)).map((workspaceId) =>
      loadOldestAge(db, workspaceId),
    );
    return Math.max(0, ...(await Promise.all(ages)));
  },
);

/** Loads the age of the oldest email. Counts from its creation or scheduled time, because a hold postpones `run_at`. */
async function loadOldestAge(db: Db, workspaceId: number): Promise<number> {
  const [row] = await db.rows<{ seconds: number | null }>(
    sql`select extract(epoch from ${NOW} - min(first.wanted))::float8 as seconds from (
       select coalesce(m.scheduled_at, m.create_date) as wanted from svc_email m
       where m.workspace_id = ${workspaceId} and m.state = 'queued' and m.campaign_id is null
         and m.run_at < 'infinity'
       order by m.run_at limit ${MAX_EMAILS_PER_WORKSPACE}) first
     where first.wanted <= ${NOW}`,
  );
  return row?.seconds ?? 0;
}
