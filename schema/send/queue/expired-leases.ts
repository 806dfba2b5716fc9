import type { Db } from '../../../src/db/db.ts';
import { NOW, NOW_ROW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { type Moved, moveEmails, recordMove } from '../state/move-emails.ts';
import { noteQueued } from '../state/queues.ts';
import { dueAgain, isLocked, PROVIDER_REPORTED } from '../state/state-sql.ts';
import { noteCalls } from '../state/webhook-calls.ts';

/** Of all emails that are being sent, which are few. */
const expired = (dead: string[]): Sql =>
  sql`m.state = 'sending' and (m.lease_until < ${NOW} or m.lease_by = any(${dead}))`;

/**
 * Takes emails from workers that died. With a transport that says whether it took them (`resend`) they go back to the
 * queue. With a provider those it has reported of are sent; the outcome of the others is unknown, until it has had its
 * time to report (unknown.ts). `lease_by` of those stays: a worker that was only cut off from the database may still
 * record the outcome.
 * @param dead workers whose leases need not be waited for
 * @returns how many
 */
export async function endExpiredLeases(db: Database, resend: boolean, dead: string[]): Promise<number> {
  let all = 0;
  const workspaces = await db.rows<{ workspace_id: number }>(
    sql`select distinct m.workspace_id from svc_email m where m.workspace_id > 0 and ${expired(dead)}`,
  );
  for (const { workspace_id: workspaceId } of workspaces) {
    all += await (resend ? requeue : markLost)(db, workspaceId, expired(dead));
  }
  return all;
}

const lockedEmails = (workspace: unknown, which: Sql): Sql =>
  isLocked(
    workspace,
    sql`select m.id from svc_email m where m.workspace_id = ${workspace} and ${which} for no key update`,
  );

/**
 * Puts emails that were claimed, and of which it is certain that they were not sent, back into the queue.
 * @param which condition on `m`
 * @returns how many
 */
export async function requeue(db: Db, workspaceId: number, which: Sql): Promise<number> {
  const workspace = sql.param(workspaceId);
  const [found] = await db.rows<{ n: number }>(
    sql`with requeued as (${moveEmails('requeue', {
      to: 'queued',
      set: sql`reason = null, run_at = ${dueAgain(workspace, sql`m.run_at`)}, lease_by = null, lease_until = null`,
      which: lockedEmails(workspace, which),
      returning: sql`m.id`,
    })}) select count(*)::int as n from requeued`,
  );
  if (found!.n > 0) noteQueued(db, workspaceId);
  return found!.n;
}

const LOST = sql.literal(
  'The process that was sending it ended before the provider answered; whether it went out is not known.',
);

/** The provider has reported of it, and it was for all of its recipients at once. */
const WENT_OUT = sql`cardinality(m.pending) = 0 and ${PROVIDER_REPORTED}`;

async function markLost(db: Db, workspaceId: number, which: Sql): Promise<number> {
  const [moved] = await db.rows<Moved>(lost(sql.param(workspaceId), which));
  noteCalls(db, workspaceId, moved!.calls);
  return moved!.n;
}

const lost = (workspace: unknown, which: Sql): Sql =>
  recordMove('markLost', {
    workspace,
    to: sql`case when m.sent_at is not null or ${WENT_OUT} then 'sent' else 'unknown' end`,
    set: sql`lease_until = null, reason = case when ${WENT_OUT} then null else ${LOST} end,
      sent_at = case when ${WENT_OUT} then coalesce(m.sent_at, n.now) else m.sent_at end,
      latest_status = case when m.latest_status in ('QUEUED', 'SCHEDULED') then 'DELIVERY_DELAYED'
        else m.latest_status end`,
    source: NOW_ROW,
    which: lockedEmails(workspace, which),
    event: {
      status: sql`case when m.reason is not null then 'DELIVERY_DELAYED' end`,
      data: sql`m.reason`,
      as: 'reason',
    },
  });
