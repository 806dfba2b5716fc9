import { runCampaigns } from '../../schema/email/campaigns/run.ts';
import { type ClaimedEmail, claim } from '../../schema/email/queue/claim.ts';
import { MAX_LARGE_CONTENT_BYTES } from '../../schema/email/queue/claimed-emails.ts';
import type { Db } from '../../src/db/db.ts';
import type { Database } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { createFailureGuard } from '../../src/engine/work/due.ts';
import type { JobHost } from '../../src/engine/work/jobs.ts';
import { createLog } from '../../src/log.ts';

/** Updates the due entries for rows that a test has inserted directly, as the application does on writes. */
export async function recordAllDue(db: Db): Promise<void> {
  await db.rows(
    sql`insert into svc_due (workspace_id, kind, next_at)
     select workspace_id, case when campaign_id is null then 'mail' else 'bulk' end, min(run_at) from svc_email
     where workspace_id > 0 and state = 'queued' group by 1, 2
     union all
     select workspace_id, 'webhook', min(run_at) from svc_webhook_call
     where workspace_id > 0 and status in ('PENDING', 'IN_PROGRESS') group by 1, 2
     union all
     select workspace_id, 'campaign', min(next_at) from svc_campaign
     where workspace_id > 0 and status in ('SCHEDULED', 'RUNNING') and next_at is not null group by 1, 2
     on conflict (workspace_id, kind) do update
       set next_at = least(svc_due.next_at, excluded.next_at), version = svc_due.version + 1`,
  );
}

export async function runDueCampaigns(host: JobHost): Promise<void> {
  await recordAllDue(host.db);
  await runCampaigns(host);
}

/** Claims emails like a worker without emails in progress. */
export async function claimDue(
  db: Database,
  want: { worker: string; limit: number; leaseTime: number },
  budget: number = MAX_LARGE_CONTENT_BYTES,
): Promise<ClaimedEmail[]> {
  await recordAllDue(db);
  const guard = createFailureGuard(createLog('fatal', 2), 'mail');
  return claim(db, { ...want, room: () => budget, guard, onLost: () => undefined });
}

/**
 * Simulates elapsed time for rows held by a dead process: the rows of `table`, and the due entries for their kind of
 * work, become due earlier.
 */
export async function advanceDue(db: Db, table: string, kind: string, ms: number): Promise<void> {
  const sooner = sql`interval '1 millisecond' * ${ms}::int`;
  await db.rows(
    sql`update ${sql.id(table)} t set next_at = t.next_at - ${sooner} where t.workspace_id > 0 and t.attempts > 0`,
  );
  await db.rows(
    sql`update svc_due d set next_at = d.next_at - ${sooner} where d.workspace_id > 0 and d.kind = ${kind}`,
  );
}
