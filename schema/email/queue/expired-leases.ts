import type { Db } from '../../../src/db/db.ts';
import { NOW, NOW_ROW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { buildRecordedMove, moveEmails, recordMove } from '../state/move-emails.ts';
import { scheduleMailDue } from '../state/queues.ts';
import { buildRequeueTime, isLocked, PROVIDER_REPORTED } from '../state/state-sql.ts';

/** Matches emails whose lease has expired. Scans all emails being sent, which are few. */
const hasExpiredLease = (deadWorkers: string[]): Sql =>
  sql`m.state = 'sending' and (m.lease_until < ${NOW} or m.lease_by = any(${deadWorkers}))`;

/**
 * Ends the leases of dead workers. With an idempotent transport (`resend`), requeues their emails. With a provider,
 * emails that it has reported on count as sent; the outcome of the others is unknown until the provider has had time to
 * report (unknown.ts). Keeps `lease_by`, because a worker that only lost its database connection may still record the
 * outcome.
 * @param deadWorkers workers whose leases end before they expire
 * @returns the number of emails
 */
export async function releaseExpiredLeases(
  db: Database,
  resend: boolean,
  deadWorkers: string[],
): Promise<number> {
  let all = 0;
  const workspaces = await db.rows<{ workspace_id: number }>(
    sql`select distinct m.workspace_id from svc_email m where m.workspace_id > 0 and ${hasExpiredLease(deadWorkers)}`,
  );
  for (const { workspace_id: workspaceId } of workspaces) {
    all += await (resend ? requeue : recordLostEmails)(db, workspaceId, hasExpiredLease(deadWorkers));
  }
  return all;
}

const isLockedEmail = (workspace: unknown, condition: Sql): Sql =>
  isLocked(
    workspace,
    sql`select m.id from svc_email m where m.workspace_id = ${workspace} and ${condition} for no key update`,
  );

/**
 * Requeues claimed emails that were certainly not sent.
 * @param condition condition on `m`
 * @returns the number of emails
 */
export async function requeue(db: Db, workspaceId: number, condition: Sql): Promise<number> {
  const workspace = sql.param(workspaceId);
  const count = await db.value<number>(
    sql`with requeued as (${moveEmails('requeue', {
      to: 'queued',
      set: sql`reason = null, run_at = ${buildRequeueTime(workspace, sql`m.run_at`)}, lease_by = null,
        lease_until = null`,
      condition: isLockedEmail(workspace, condition),
      returning: sql`m.id`,
    })}) select count(*)::int from requeued`,
  );
  if (count > 0) scheduleMailDue(db, workspaceId);
  return count;
}

const LOST_REASON = sql.literal(
  'The process that was sending it ended before the provider responded; it may have been sent.',
);

/** Matches emails that the provider has reported on and that were sent to all recipients at once. */
const WENT_OUT = sql`cardinality(m.pending) = 0 and ${PROVIDER_REPORTED}`;

const recordLostEmails = (db: Db, workspaceId: number, condition: Sql): Promise<number> =>
  recordMove(db, workspaceId, buildLostStatement(sql.param(workspaceId), condition), { dataKey: 'reason' });

const buildLostStatement = (workspace: unknown, condition: Sql): Sql =>
  buildRecordedMove('markLost', {
    to: sql`case when m.sent_at is not null or ${WENT_OUT} then 'sent' else 'unknown' end`,
    set: sql`lease_until = null, reason = case when ${WENT_OUT} then null else ${LOST_REASON} end,
      sent_at = case when ${WENT_OUT} then coalesce(m.sent_at, n.now) else m.sent_at end,
      latest_status = case when m.latest_status in ('QUEUED', 'SCHEDULED') then 'DELIVERY_DELAYED'
        else m.latest_status end`,
    source: NOW_ROW,
    condition: isLockedEmail(workspace, condition),
    event: {
      status: sql`case when m.reason is not null then 'DELIVERY_DELAYED' end`,
      data: sql`m.reason`,
    },
  });
