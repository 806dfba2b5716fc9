import type { Database } from '../../src/db/pool.ts';
import { limits } from '../../src/limits.ts';
import type { EmailContent } from './email-content.ts';

/** A claimed email: all that composing and sending it takes. */
export interface ClaimedEmail extends EmailContent {
  workspace_id: number;
  id: number;
  in_reply_to: string | null;
  attempts: number;
  /** Recipients it is still to be sent to, bare; empty: all of them. */
  pending: string[];
  /** The provider has taken it for other recipients already. */
  partly: boolean;
  /** Milliseconds since 1970. */
  created: number;
}

/**
 * Claims due emails under a lease, a few of each workspace: one with a million waiting does not hold up another with one.
 * A loose index scan goes from workspace to workspace, starting behind the one served last, and looks at the earliest
 * email of each only; it ends when as many workspaces with due mail are found as emails are wanted, however many others
 * have nothing but mail for later. SKIP LOCKED keeps workers apart.
 */
const CLAIM = `
  with recursive turn(workspace_id, due, found) as (
    (select workspace_id, run_at <= now(), (run_at <= now())::int from svc_email
     where state = 'queued' and workspace_id > $3 order by workspace_id, run_at limit 1)
    union all
    select next.workspace_id, next.due, turn.found + next.due::int from turn cross join lateral (
      select e.workspace_id, e.run_at <= now() as due from svc_email e
      where e.state = 'queued' and e.workspace_id > turn.workspace_id order by e.workspace_id, e.run_at limit 1
    ) next where turn.found < $1
  ), picked as (
    select p.workspace_id, p.id from turn cross join lateral (
      select e.workspace_id, e.id from svc_email e
      where e.workspace_id = turn.workspace_id and e.state = 'queued' and e.run_at <= now()
      order by e.run_at, e.id limit $2 for update skip locked
    ) p where turn.due limit $1
  )
  update svc_email m set state = 'sending', attempts = m.attempts + 1, lease_by = $4, lease_until = now() + make_interval(secs => $5), write_date = now()
  from picked where m.workspace_id = picked.workspace_id and m.id = picked.id
  returning m.workspace_id, m.id, m.public_id, m."from", m."to", m.cc, m.bcc, m.reply_to, m.subject, m.html, m.text, m.headers, m.attachments, m.attempts,
    m.pending, m.sent_at is not null as partly, (extract(epoch from m.create_date) * 1000)::float8 as created,
    (select provider_id from svc_email r where r.workspace_id = m.workspace_id and r.public_id = m.in_reply_to_id) as in_reply_to`;

/** Who claims, how many at most, and for how long. */
export interface Want {
  worker: string;
  most: number;
  /** Workspace that was served last; 0 to begin with the first. */
  after: number;
  leaseTime: number;
}

export async function claim(db: Database, want: Want): Promise<ClaimedEmail[]> {
  const { worker, most, after, leaseTime } = want;
  const each = Math.max(1, Math.min(limits.claimPerWorkspace, most));
  const rows = await db.rows<ClaimedEmail>(CLAIM, [most, each, after, worker, leaseTime / 1000]);
  if (rows.length > 0 || after === 0) return rows;
  return claim(db, { ...want, after: 0 });
}

/** Extends the leases of emails whose sending is still running. */
export async function renew(db: Database, worker: string, ids: number[], leaseTime: number): Promise<void> {
  if (ids.length === 0) return;
  await db.rows(
    `update svc_email set lease_until = now() + make_interval(secs => $3)
     where workspace_id > 0 and state = 'sending' and lease_by = $1 and id = any($2)`,
    [worker, ids, leaseTime / 1000],
  );
}

const LOST =
  'The process that was sending it ended before the provider answered; whether it went out is not known.';

/**
 * Frees emails whose worker died. With a transport that tells whether it took them they go back to the queue; with a
 * provider nobody knows, so they are `unknown` and are never sent again blindly. Of those the lease stays noted:
 * a worker that was only cut off from the database may still tell.
 */
export async function reap(db: Database, resend: boolean): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    resend
      ? `with freed as (
           update svc_email set state = 'queued', reason = null, lease_by = null, lease_until = null, write_date = now()
           where workspace_id > 0 and state = 'sending' and lease_until < now() returning id
         ) select count(*)::int as n from freed`
      : `with lost as (
           update svc_email set state = case when sent_at is null then 'unknown' else 'sent' end, reason = '${LOST}', lease_until = null, write_date = now(),
             latest_status = case when latest_status in ('QUEUED', 'SCHEDULED') then 'DELIVERY_DELAYED' else latest_status end
           where workspace_id > 0 and state = 'sending' and lease_until < now() returning workspace_id, id, reason
         ), told as (
           insert into svc_email_event (workspace_id, email_id, status, data)
           select workspace_id, id, 'DELIVERY_DELAYED', jsonb_build_object('reason', reason) from lost
         ) select count(*)::int as n from lost`,
  );
  return row!.n;
}
