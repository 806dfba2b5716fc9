import { NOW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import type { EmailContent } from '../kit/email-content.ts';
import { lastServed } from '../kit/last-served.ts';
import { dueAgain } from '../state/due-again.ts';
import { notedOf } from '../state/noted.ts';
import { TOLD } from '../state/told.ts';

/** A claimed email: all that composing and sending it takes. */
export interface ClaimedEmail extends EmailContent {
  workspace_id: number;
  id: number;
  /** Message-ID of the email it answers, as that went out. */
  in_reply_to: string | null;
  /** Of its domain; null when that is gone. */
  domain_status: string | null;
  /** Its campaign is gone. */
  orphaned: boolean;
  /** Of the contact it was made for, which may have left the book since; null of one that was made for none. */
  contact: 'open' | 'left' | 'gone' | null;
  /** What the provider is to track, as the domain wants it. */
  tracking: 'click' | 'open' | 'full' | null;
  attempts: number;
  /** Recipients it is still to be sent to, bare; empty: all of them. */
  pending: string[];
  /** The provider has taken it for other recipients already. */
  partly: boolean;
  /** Milliseconds since 1970. */
  created: number;
}

/** SES gives a message an id of its own, under its region's name; other transports keep ours. */
const ANSWERED = `(select case when d.region <> 'local' and r.provider_id is not null
      then r.provider_id || '@' || case d.region when 'us-east-1' then 'email' else d.region end || '.amazonses.com'
      else r.public_id || '@' || coalesce(d.name, 'localhost') end
    from svc_email r left join svc_domain d on d.workspace_id = r.workspace_id and d.id = r.domain_id
    where r.workspace_id = m.workspace_id and r.public_id = m.in_reply_to_id)`;

const DOMAIN_STATUS = `(select status from svc_domain d where d.workspace_id = m.workspace_id and d.id = m.domain_id)`;

const ORPHANED = `(m.campaign_id is not null
    and (select c.id from svc_campaign c where c.workspace_id = m.workspace_id and c.id = m.campaign_id) is null)`;

const CONTACT = `(case when m.contact_id is not null then
    coalesce((select case when c.subscribed then 'open' else 'left' end from svc_contact c where c.workspace_id = m.workspace_id and c.id = m.contact_id), 'gone') end)`;

const TRACKING = `(select case when click_tracking and open_tracking then 'full' when click_tracking then 'click' when open_tracking then 'open' end
    from svc_domain d where d.workspace_id = m.workspace_id and d.id = m.domain_id)`;

/** The earliest email of the next workspace that has one queued. */
const nextOf = (which: string, more: string, lap: string) => `(
  select e.workspace_id, e.run_at <= ${NOW} as due, ${lap} as lap from svc_email e
  where e.state = 'queued' and ${which} and ${more} order by e.workspace_id, e.run_at limit 1)`;

/**
 * Claims due emails under a lease, a few of each workspace: one with a million waiting does not hold up another with one.
 * A loose index scan goes from workspace to workspace, once round, starting behind the one served last, and looks at the
 * earliest email of each only; it ends when as many workspaces with due mail are found as emails are wanted, however
 * many others have nothing but mail for later. SKIP LOCKED keeps workers apart.
 */
const claimOf = (which: string) => `
  with recursive turn(workspace_id, due, found, lap) as (
    select $3::int, false, 0, 0
    union all
    select next.workspace_id, next.due, turn.found + next.due::int, next.lap from turn cross join lateral (
      select * from (
        ${nextOf(which, 'e.workspace_id > turn.workspace_id and (turn.lap = 0 or e.workspace_id <= $3)', 'turn.lap')}
        union all
        ${nextOf(which, 'turn.lap = 0 and e.workspace_id <= $3', '1')}
      ) either order by lap limit 1
    ) next where turn.found < $1
  ), picked as (
    select p.workspace_id, p.id from turn cross join lateral (
      select e.workspace_id, e.id from svc_email e
      where e.workspace_id = turn.workspace_id and e.state = 'queued' and ${which} and e.run_at <= ${NOW}
      order by e.run_at, e.id limit $2 for update skip locked
    ) p where turn.due limit $1
  )
  update svc_email m set state = 'sending', attempts = m.attempts + 1, lease_by = $4, lease_until = now() + make_interval(secs => $5), write_date = now()
  from picked where m.workspace_id = picked.workspace_id and m.id = picked.id
  returning m.workspace_id, m.id, m.public_id, m."from", m."to", m.cc, m.bcc, m.reply_to, m.subject, m.html, m.text, m.headers, m.attachments, m.attempts,
    m.pending, m.sent_at is not null as partly, (extract(epoch from m.create_date) * 1000)::float8 as created,
    ${ANSWERED} as in_reply_to, ${DOMAIN_STATUS} as domain_status, ${ORPHANED} as orphaned, ${CONTACT} as contact, ${TRACKING} as tracking`;

const CLAIMS = { own: claimOf('e.campaign_id is null'), bulk: claimOf('e.campaign_id is not null') };

/**
 * The workspaces that were served last, 0 to begin with the first; a claim moves them on. Each queue has its own: one that
 * always began where the other is would not get to everybody.
 */
export interface Turns {
  own: number;
  bulk: number;
}

/** Who claims, how many at most, and for how long. */
export interface Want {
  worker: string;
  most: number;
  after: Turns;
  leaseTime: number;
}

/** Mail of campaigns gets the room that other mail leaves, where that is worth a look. */
export async function claim(db: Database, want: Want): Promise<ClaimedEmail[]> {
  const rows = await claimSome(db, 'own', want);
  const most = want.most - rows.length;
  return most * 2 > want.most ? [...rows, ...(await claimSome(db, 'bulk', { ...want, most }))] : rows;
}

async function claimSome(db: Database, queue: keyof Turns, want: Want): Promise<ClaimedEmail[]> {
  const { worker, most, after, leaseTime } = want;
  const each = Math.max(1, Math.min(limits.claimPerWorkspace, most));
  const params = [most, each, after[queue], worker, leaseTime / 1000];
  const rows = await db.rows<ClaimedEmail>(CLAIMS[queue], params);
  after[queue] = lastServed(after[queue], rows);
  return rows;
}

/** Extends the leases of emails whose sending is still running; one whose outcome is being written needs it no more. */
export async function renew(db: Database, worker: string, ids: number[], leaseTime: number): Promise<void> {
  if (ids.length === 0) return;
  await db.rows(
    sql`update svc_email m set lease_until = now() + make_interval(secs => ${leaseTime / 1000}) from (
       select workspace_id, id from svc_email
       where workspace_id > 0 and state = 'sending' and lease_by = ${worker} and id = any(${ids}) for no key update skip locked
     ) held where m.workspace_id = held.workspace_id and m.id = held.id`,
  );
}

/** How many processes send at this time, `worker` among them: those that hold mail under a lease. */
export async function sharers(db: Database, worker: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    sql`select count(distinct lease_by)::int as n from svc_email
     where workspace_id > 0 and state = 'sending' and lease_until > now() and lease_by <> ${worker}`,
  );
  return row!.n + 1;
}

const LOST =
  'The process that was sending it ended before the provider answered; whether it went out is not known.';

/** The provider has told of it, and it was for all of its recipients at once. */
const HAD = `cardinality(m.pending) = 0 and ${TOLD}`;

/**
 * Frees emails whose worker died. With a transport that tells whether it took them they go back to the queue. With a
 * provider those it has told of are sent; of the others nobody knows, so they are `unknown` until it has had its time to
 * tell (unknown.ts). Of those the lease stays noted: a worker that was only cut off from the database may still tell.
 */
export async function reap(db: Database, resend: boolean): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    resend
      ? `with freed as (
           update svc_email m set state = 'queued', reason = null, run_at = ${dueAgain('m.run_at')}, lease_by = null, lease_until = null, write_date = now()
           where workspace_id > 0 and state = 'sending' and lease_until < now() returning id
         ) select count(*)::int as n from freed`
      : `with lost as (
           update svc_email m set state = case when sent_at is not null or ${HAD} then 'sent' else 'unknown' end, lease_until = null, write_date = now(),
             reason = case when ${HAD} then null else '${LOST}' end, sent_at = case when ${HAD} then coalesce(sent_at, now()) else sent_at end,
             latest_status = case when latest_status in ('QUEUED', 'SCHEDULED') then 'DELIVERY_DELAYED' else latest_status end
           where workspace_id > 0 and state = 'sending' and lease_until < now() returning workspace_id, id, domain_id, reason
         ), told as (
           select workspace_id, id as email_id, domain_id, 'DELIVERY_DELAYED' as status, jsonb_build_object('reason', reason) as data from lost where reason is not null
         ), ${notedOf('told')} select count(*)::int as n from lost`,
  );
  return row!.n;
}
