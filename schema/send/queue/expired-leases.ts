import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { moveEmails, recordMove } from '../state/move-emails.ts';
import { dueAgain, PROVIDER_REPORTED } from '../state/state-sql.ts';

const EXPIRED = sql`m.workspace_id > 0 and m.lease_until < now()`;

/**
 * Takes emails from workers that died. With a transport that says whether it took them (`resend`) they go back to the
 * queue. With a provider those it has reported of are sent; the outcome of the others is unknown, until it has had its
 * time to report (unknown.ts). `lease_by` of those stays: a worker that was only cut off from the database may still
 * record the outcome.
 * @returns how many
 */
export async function endExpiredLeases(db: Database, resend: boolean): Promise<number> {
  const [row] = await db.rows<{ n: number }>(resend ? REQUEUE : MARK_LOST);
  return row!.n;
}

const REQUEUE = sql`with requeued as (${moveEmails('requeueExpired', {
  to: 'queued',
  set: sql`reason = null, run_at = ${dueAgain(sql`m.run_at`)}, lease_by = null, lease_until = null`,
  which: EXPIRED,
  returning: sql`m.id`,
})}) select count(*)::int as n from requeued`;

const LOST = sql.literal(
  'The process that was sending it ended before the provider answered; whether it went out is not known.',
);

/** The provider has reported of it, and it was for all of its recipients at once. */
const WENT_OUT = sql`cardinality(m.pending) = 0 and ${PROVIDER_REPORTED}`;

const MARK_LOST = recordMove('markLost', {
  to: sql`case when m.sent_at is not null or ${WENT_OUT} then 'sent' else 'unknown' end`,
  set: sql`lease_until = null, reason = case when ${WENT_OUT} then null else ${LOST} end,
    sent_at = case when ${WENT_OUT} then coalesce(m.sent_at, now()) else m.sent_at end,
    latest_status = case when m.latest_status in ('QUEUED', 'SCHEDULED') then 'DELIVERY_DELAYED'
      else m.latest_status end`,
  which: EXPIRED,
  event: {
    status: sql`case when m.reason is not null then 'DELIVERY_DELAYED' end`,
    data: sql`jsonb_build_object('reason', m.reason)`,
  },
});
