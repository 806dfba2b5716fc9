import type { Database } from '../../src/db/pool.ts';
import { limits } from '../../src/limits.ts';

/** A claimed email: all that composing and sending it takes. */
export interface ClaimedEmail {
  workspace_id: number;
  id: number;
  public_id: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  reply_to: string[];
  subject: string;
  html: string | null;
  text: string | null;
  headers: Record<string, string> | null;
  attachments: { filename: string; content: string }[] | null;
  in_reply_to: string | null;
  attempts: number;
  /** Milliseconds since 1970. */
  created: number;
}

/**
 * Claims due emails under a lease, a few of each workspace: one with a million waiting does not hold up another with one.
 * A loose index scan finds the workspaces that have due mail; SKIP LOCKED keeps workers apart. The scan starts behind
 * the workspace that was served last.
 */
const CLAIM = `
  with recursive due(workspace_id, turn) as (
    (select workspace_id, 1 from svc_email where state = 'queued' and workspace_id > $3 order by workspace_id limit 1)
    union all
    select (select e.workspace_id from svc_email e where e.state = 'queued' and e.workspace_id > due.workspace_id order by e.workspace_id limit 1), due.turn + 1
    from due where due.workspace_id is not null and due.turn < 1000
  ), picked as (
    select p.workspace_id, p.id from due cross join lateral (
      select e.workspace_id, e.id from svc_email e
      where e.workspace_id = due.workspace_id and e.state = 'queued' and e.run_at <= now()
      order by e.run_at, e.id limit $2 for update skip locked
    ) p where due.workspace_id is not null limit $1
  )
  update svc_email m set state = 'sending', attempts = m.attempts + 1, lease_by = $4, lease_until = now() + make_interval(secs => $5), write_date = now()
  from picked where m.workspace_id = picked.workspace_id and m.id = picked.id
  returning m.workspace_id, m.id, m.public_id, m."from", m."to", m.cc, m.bcc, m.reply_to, m.subject, m.html, m.text, m.headers, m.attachments, m.attempts,
    (extract(epoch from m.create_date) * 1000)::float8 as created,
    (select provider_id from svc_email r where r.workspace_id = m.workspace_id and r.public_id = m.in_reply_to_id) as in_reply_to`;

/** @param after workspace that was served last; 0 to begin with the first */
export async function claim(
  db: Database,
  worker: string,
  most: number,
  after: number,
): Promise<ClaimedEmail[]> {
  const each = Math.max(1, Math.min(limits.claimPerWorkspace, most));
  const rows = await db.rows<ClaimedEmail>(CLAIM, [most, each, after, worker, limits.leaseTime / 1000]);
  if (rows.length > 0 || after === 0) return rows;
  return claim(db, worker, most, 0);
}

/** What became of a claimed email. */
export interface Settled {
  workspace_id: number;
  id: number;
  state: 'queued' | 'sent' | 'failed' | 'unknown';
  /** Seconds until it may be claimed again, for `queued`. */
  wait: number;
  reason: string | null;
  provider_id: string | null;
  /** An event to write along, such as SENT or FAILED. */
  status: string | null;
  data: Record<string, unknown> | null;
}

/** Writes what became of emails that `worker` still holds; a lease that was lost changes nothing. */
export async function settle(db: Database, worker: string, settled: Settled[]): Promise<void> {
  await db.rows(
    `with given as (
       select * from json_to_recordset($1::json) g(workspace_id int, id int, state text, wait float8, reason text, provider_id text, status text, data jsonb)
     ), done as (
       update svc_email m set state = g.state, reason = g.reason, provider_id = coalesce(g.provider_id, m.provider_id),
         run_at = now() + make_interval(secs => g.wait), lease_by = null, lease_until = null, write_date = now(),
         sent_at = case when g.state = 'sent' then now() else m.sent_at end,
         latest_status = case when g.status is not null and m.latest_status in ('QUEUED', 'SCHEDULED') then g.status else m.latest_status end
       from given g where m.workspace_id = g.workspace_id and m.id = g.id and m.lease_by = $2
       returning m.workspace_id, m.id, g.status, g.data
     )
     insert into svc_email_event (workspace_id, email_id, status, data)
     select workspace_id, id, status, data from done where status is not null`,
    [JSON.stringify(settled), worker],
  );
}

/**
 * Frees emails whose worker died. With a transport that tells whether it took them they go back to the queue; with a
 * provider nobody knows, so they are `unknown` and are never sent again blindly.
 */
export async function reap(db: Database, resend: boolean): Promise<number> {
  const rows = await db.rows(
    `update svc_email set state = $1, reason = $2, lease_by = null, lease_until = null, write_date = now()
     where workspace_id > 0 and state = 'sending' and lease_until < now() returning id`,
    resend
      ? ['queued', null]
      : [
          'unknown',
          'The process that was sending it ended before the provider answered; whether it went out is not known.',
        ],
  );
  return rows.length;
}

/** Gives up on emails that have waited too long, with the reason they waited for. */
export async function expire(db: Database): Promise<void> {
  await db.rows(
    `with old as (
       update svc_email set state = 'failed', latest_status = 'FAILED', write_date = now(),
         reason = 'Not sent within ${limits.queueHours} hours. ' || coalesce(reason, '')
       where workspace_id > 0 and state = 'queued' and run_at <= now() and attempts > 0
         and coalesce(scheduled_at, create_date) < now() - make_interval(hours => ${limits.queueHours})
       returning workspace_id, id, reason
     )
     insert into svc_email_event (workspace_id, email_id, status, data)
     select workspace_id, id, 'FAILED', jsonb_build_object('error', reason) from old`,
  );
}
